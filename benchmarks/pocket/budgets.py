"""The pocket edition's budgets, all in one run, beside the server on the same computer.

    python benchmarks/pocket/budgets.py [--folder FOLDER] [--photos FOLDER] [--count 5] [--starts 3] [--driven]
    python benchmarks/pocket/budgets.py --memory   # only what the page's process holds
    python benchmarks/pocket/budgets.py --engines firefox webkit   # also in these, or why not
    python benchmarks/pocket/budgets.py --table PHOTO   # also a photo of a table full of tiles, and taps on its board

Builds the folder (or takes one that is built), weighs it as a host sends it compressed (brotli, level 6), and starts it
in a Chromium from the host once and then with the network off. The same photos go through `paitai serve` and through
the pocket edition, each warmed up by the sample: processor time of the server against that of all the browser's
processes, from the file chosen to the board.

The camera button: kB and seconds until it is there on a line of 1.6 Mbit/s, in a browser slowed four times.

Memory is that of the page's process with its workers after the photos, in a browser of its own that has no DevTools
listening to its network: DevTools keeps a copy of every file fetched, as base64 text, in the page's process, 61 MB that
no phone has (`undriven.py`; --driven counts them, as this benchmark did before). Also shown: the most that the process
had at any moment, looked at four times a second, which is while everything is fetched and compiled for the first time.
Exit status 1 where a budget does not hold. Linux only.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.request import urlopen

from playwright.sync_api import Browser, expect, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from processes import browser_of, megabytes, processor_seconds, tree
from slow import shutter, table
from undriven import Peak, page_memory, undriven

from pocket.build.site import LATER, build
from pocket.serving import serving
from tests.e2e.support.engines import CHROMIUM_FLAGS, find_chromium
from tests.e2e.support.pages import screen
from tests.e2e.support.pages.board import Board
from tests.e2e.support.pocket import choose_book, phone
from vision.photo.sample import sample_photo_path

PHOTOS = Path(__file__).parents[2] / "datasets/rendered/images/val"
ENGINES = Path(__file__).with_name("engines.py")
PATIENCE = 200.0  # seconds for what a busy computer does late
REST = 3000  # milliseconds before a photo, for the page's background work
WEIGH = """
const { readdirSync, readFileSync, statSync } = require("node:fs");
const { brotliCompressSync, constants } = require("node:zlib");
const root = process.argv[1], out = {};
const params = { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_LGWIN]: 24 };
for (const name of readdirSync(root, { recursive: true })) if (statSync(`${root}/${name}`).isFile()) {
  const data = readFileSync(`${root}/${name}`);
  out[name] = Math.min(data.length, brotliCompressSync(data, { params }).length);
}
console.log(JSON.stringify(out));
"""
MB = 1e6
APP = "document.getElementById('app').contentDocument"
START = "document.getElementById('app').src"


def weights(folder: Path) -> tuple[float, float]:
    """MB of the whole folder, and of the files before the start page, compressed."""
    done = subprocess.run(["node", "-e", WEIGH, str(folder)], capture_output=True, text=True, check=True)
    sizes: dict[str, int] = json.loads(done.stdout)
    first = sum(size for name, size in sizes.items() if not name.startswith(LATER))
    return sum(sizes.values()) / MB, first / MB


@dataclass
class Seen:
    """Measurements of one edition: seconds of the starts, processor seconds by photo, MB."""

    starts: list[float]
    photos: list[float] = field(default_factory=list)
    browsers: list[float] = field(default_factory=list)
    driven_page: float = 0.0
    table: tuple[int, float, float, float, float] | None = None


@dataclass
class Held:
    """MB of the page's process after the photos, of all the browser's processes, and the peak by activity."""

    page: float
    all_processes: float
    most: dict[str, float]


def server_times(browser: Browser, photos: list[Path], folder: Path, starts: int) -> Seen:
    """`paitai serve`: from its start to its first page; processor time of it, and of the browser, for each photo."""
    seen = Seen([server_start(folder) for _ in range(starts)])
    with server(folder) as (pid, address), phone(browser, folder / "profile", CHROMIUM_FLAGS) as one:
        page = one.context.new_page()
        root = browser_of(one.profile)
        for before, after in photo_costs(Board(page), address, photos, pid, root):
            seen.photos.append(after[0] - before[0])
            seen.browsers.append(after[1] - before[1])
    return seen


@contextlib.contextmanager
def server(folder: Path) -> Iterator[tuple[int, str]]:
    """A server that is starting: its process and its address."""
    command = [sys.executable, "-m", "paitai", "serve", "--port", "0", "--no-browser", "--data", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            address = next(found[0] for line in process.stdout if (found := re.search(r"http://\S+", line)))
            yield process.pid, address
        finally:
            process.terminate()


def server_start(folder: Path) -> float:
    """Seconds from starting `paitai serve` to its first page."""
    begun = time.perf_counter()
    with server(folder) as (_, address), urlopen(address) as answer:
        answer.read()
        return time.perf_counter() - begun


def photo_costs(
    board: Board, address: str, photos: list[Path], *processes: int
) -> Iterator[tuple[list[float], list[float]]]:
    """Processor seconds of each process tree before and after each photo, from the file chosen to the board; the
    first photo only warms up."""
    for at, photo in enumerate(photos):
        board.goto(address)
        board.page.evaluate("sessionStorage.clear()")  # the hand before does not come back
        board.goto(address)
        board.page.wait_for_timeout(REST)
        before = [processor_seconds(pid) for pid in processes]
        board.read(photo)
        after = [processor_seconds(pid) for pid in processes]
        if at:
            yield before, after


def pocket_times(
    browser: Browser, photos: list[Path], folder: Path, starts: int, profile: Path, full: Path | None
) -> Seen:
    """The pocket edition with the network off: seconds of its starts, processor time of a photo, MB after all."""
    with serving(folder) as address, phone(browser, profile, CHROMIUM_FLAGS) as one:
        begun = time.perf_counter()
        page, board = one.open(address)
        seen = Seen([time.perf_counter() - begun])
        choose_book(board)
        one.wait_until_kept(page)
        one.context.set_offline(True)
        for _ in range(starts):
            page.close()
            begun = time.perf_counter()
            page, board = one.open(address)
            seen.starts.append(time.perf_counter() - begun)
        page.wait_for_timeout(REST)
        root = browser_of(profile)
        for before, after in photo_costs(board, address, photos, root):
            seen.photos.append(after[0] - before[0])
        seen.driven_page = page_memory(root)
        if full:
            seen.table = table(board, address, full, root)
    return seen


def memory(photos: list[Path], folder: Path, profile: Path) -> Held:
    """Memory of the pocket edition: a first start, one from this phone's own files, and the photos one by one."""
    with serving(folder) as address, undriven(find_chromium(), profile, CHROMIUM_FLAGS) as browser:
        root = browser.process.pid
        peak = Peak(root)
        peak.start()
        for peak.doing in ("first start", "start"):
            browser.open(address)
            browser.wait(f"document.documentElement.dataset.whole && {APP}.querySelector('main') && true")
            time.sleep(2 * REST / 1000)
        for peak.doing, photo in zip(("first photo", *("photos" for _ in photos[1:])), photos, strict=True):
            browser.value(f"{APP}.defaultView.sessionStorage.clear(), {APP}.defaultView.location.href = {START}, 0")
            time.sleep(REST / 1000)
            if browser.value(f"Boolean({APP}.querySelector('.first-book button'))"):
                browser.value(f"{APP}.querySelector('.first-book button').click()")
                time.sleep(REST / 1000)
            browser.wait(f"Boolean({APP}.querySelector('#choose'))")
            browser.choose(f"{APP}.querySelector('#choose')", photo)
            browser.wait(f"Boolean({APP}.querySelector('#hand'))")
        held = Held(page_memory(root), sum(megabytes(pid) for pid in tree(root)), peak.most)
        peak.end()
    return held


def chosen(folder: Path, count: int) -> list[Path]:
    """The sample, and photos of a folder, evenly taken."""
    found = sorted(path for path in folder.iterdir() if path.suffix.lower() in (".jpg", ".jpeg", ".png"))
    return [sample_photo_path(), *(found[at * len(found) // count] for at in range(min(count, len(found))))]


def main() -> int:
    """Measure, print, compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, help="one that is built")
    parser.add_argument("--photos", type=Path, default=PHOTOS, help="a folder of photos")
    parser.add_argument("--count", type=int, default=5, help="of photos")
    parser.add_argument("--starts", type=int, default=3)
    parser.add_argument("--driven", action="store_true", help="memory with the copies that DevTools makes")
    parser.add_argument("--table", type=Path, help="a photo of a table full of tiles")
    parser.add_argument("--engines", nargs="*", default=[], choices=("firefox", "webkit"))
    parser.add_argument("--memory", action="store_true", help="nothing but memory")
    args = parser.parse_args()
    screen.PATIENCE = PATIENCE
    expect.set_options(timeout=1000 * PATIENCE)
    photos = chosen(args.photos, args.count)
    with tempfile.TemporaryDirectory() as made:
        folder = args.folder or build(Path(made) / "folder").folder
        held = memory(photos, folder, Path(made) / "undriven")
        rows = [(f"memory of the page's process after {len(photos)} photos", held.page, 400.0, "MB")]
        notes = [
            f"memory of all the browser's processes: {held.all_processes:.0f} MB",
            "most of the page's process at any moment: "
            + ", ".join(f"{name} {most:.0f} MB" for name, most in held.most.items()),
        ]
        if not args.memory:
            more, others = against_server(photos, folder, Path(made), args.starts, args.table, driven=args.driven)
            rows, notes = [*more, *rows], [*others, *notes]
        notes += [other_engine(name, folder, photos, args.table) for name in args.engines]
    for name, value, most, unit in rows:
        print(f"{'ok  ' if value <= most else 'OVER'} {name}: {value:.2f} {unit}, budget {most:.2f} {unit}")
    for note in notes:
        print(f"     {note}")
    print(f"     load of this computer: {os.getloadavg()[0]:.1f}; wall times are of use only where nothing else runs")
    return int(any(value > most for _, value, most, _ in rows))


def against_server(
    photos: list[Path], folder: Path, made: Path, starts: int, full: Path | None, *, driven: bool
) -> tuple[list[tuple[str, float, float, str]], list[str]]:
    """Rows (what, value, budget, unit) and further lines of everything except memory, compared with the server."""
    whole, first = weights(folder)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(CHROMIUM_FLAGS))
        there = server_times(browser, photos, made / "data", starts)
        here = pocket_times(browser, photos, folder, starts, made / "profile", full)
        with serving(folder) as address:
            sent, painted, works = shutter(browser, address)
        browser.close()
    page, warm = statistics.median(there.starts), statistics.median(here.starts[1:])
    times = statistics.median(mine / theirs for mine, theirs in zip(here.photos, there.photos, strict=True))
    rows = [
        ("download, compressed", whole, 30.0, "MB"),
        ("of it before the start page", first, 13.0, "MB"),
        (f"start with the network off (server's first page: {page:.2f} s)", warm, 3 * page + 2, "s"),
        ("photo to board, processor time, times the server's", times, 6.0, "times"),
        ("before the camera button, of a slow line", sent, 200.0, "kB"),
        ("the camera button on a slow line and a slow phone", painted, 2.0, "s"),
    ]
    notes = [
        f"first start, from a host on this computer: {here.starts[0]:.2f} s",
        f"processor seconds by photo, all of the browser's processes: {listed(here.photos)}",
        f"of the server: {listed(there.photos)}; of the browser that shows its page: {listed(there.browsers)}",
    ]
    notes.append(f"the camera button listens, on a slow line and a slow phone: {works:.2f} s")
    if here.table:
        tiles, photo, photo_wall, tap, tap_wall = here.table
        rows.append((f"photo of {tiles} tiles, processor time", photo, 2.5, "s"))
        rows.append((f"a tap on its board, processor time (by the clock {tap_wall:.2f} s)", tap, 0.2, "s"))
        notes.append(f"photo of {tiles} tiles by the clock: {photo_wall:.2f} s")
    if driven:
        notes.append(f"memory of the page's process where DevTools keeps what was fetched: {here.driven_page:.0f} MB")
    return rows, notes


def other_engine(engine: str, folder: Path, photos: list[Path], full: Path | None) -> str:
    """What `engines.py` measures in another engine, as a line; or why it cannot."""
    command = [sys.executable, str(ENGINES), *map(str, (folder, *photos)), *(("--table", str(full)) if full else ())]
    before = ["xvfb-run", "-a"] if engine == "webkit" else []
    try:
        done = subprocess.run(
            [*before, *command], env={**os.environ, "PAITAI_ENGINE": engine}, capture_output=True, text=True
        )
    except OSError as error:
        return f"{engine}: not measured ({error})"
    if done.returncode:
        return f"{engine}: not measured ({(done.stderr.strip().splitlines() or ['no reason'])[-1]})"
    seen = json.loads(done.stdout)
    table = "" if seen["table"] is None else " photo of {} tiles {:.2f} s, a tap {:.2f} s;".format(*seen["table"])
    return (
        f"{engine}: first start {seen['first']:.1f} s, later ones {listed(seen['starts'])} s; photos "
        f"{listed(seen['photos'])} s of the processor;{table} memory of the largest process {seen['memory']:.0f} MB"
    )


def listed(values: list[float]) -> str:
    """Numbers in a row."""
    return " ".join(f"{value:.2f}" for value in values)


if __name__ == "__main__":
    sys.exit(main())
