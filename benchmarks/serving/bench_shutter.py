"""From shutter to tally: how long a person waits after a 12-megapixel photo was taken, in a real Chromium.

    PYTHONPATH=. python benchmarks/serving/bench_shutter.py [--runs 11] [--photo PHOTO] [--chromium PATH]

The page is served by `paitai serve` on localhost with the shipped models. How the hand was won is said before, on a
first photo (no number stands without it); then the photo is taken again and again ("retake"). The clock starts when
the browser has the file (the change event of the file field) and stops in the frame after the tally stands on the
page: shrinking, sending, reading, scoring, comparing the books and drawing are in it. Prints the median, the slowest,
and the server's part.
"""

import argparse
import io
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from tests.e2e.support.pages.board import Board
from vision.photo.sample import sample_photo_path

SIZE = (4000, 3000)
MARK = 64  # pixels of the corner in which the photos differ
FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
CLOCK = """() => new Promise((resolve) => {
  const photo = () => JSON.parse(document.getElementById('state')?.value || '{}').photo;
  const before = photo();
  const done = (start) => new MutationObserver((_, watching) => {
    if (photo() === before || !document.querySelector('#app .total, #app .verdict')) return;
    watching.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)));
  }).observe(document.getElementById('app'), {childList: true, subtree: true});
  document.addEventListener('change', () => done(performance.now()), {once: true, capture: true});
})"""


def large_photo(folder: Path) -> Path:
    """The sample photo at 12 megapixels, with the fine noise of a camera, so that its file is as large as a phone's."""
    photo = Image.open(sample_photo_path()).convert("RGB").resize(SIZE, Image.Resampling.LANCZOS)
    noise = Image.effect_noise(SIZE, 14).convert("RGB")
    path = folder / "shutter.jpg"
    Image.blend(photo, noise, 0.06).save(path, quality=95)
    return path


def other_photos(photo: Path, folder: Path, count: int) -> list[Path]:
    """Copies of the photo with different corners, because a known photo is answered from memory."""
    made = []
    with Image.open(photo) as opened:
        picture = opened.convert("RGB")
    for number in range(count):
        picture.paste((number * 20 % 256, 90, 90), (0, 0, MARK, MARK))
        made.append(folder / f"shutter-{number}.jpg")
        picture.save(made[-1], quality=95)
    return made


def first_photo(page: Page, address: str, photo: Path) -> None:
    """The hand on the page, and how it was won."""
    page.goto(address)
    board = Board(page)
    board.settle()
    board.photo(photo)
    board.choose_winning_tile()
    page.locator("#app .total").first.wait_for()


def shutter(page: Page, photo: Path) -> tuple[float, float]:
    """Milliseconds from the file to the tally, and of these from the request to its answer."""
    page.evaluate("performance.clearResourceTimings()")
    page.evaluate(f"window.waited = ({CLOCK})(); null")
    page.set_input_files("#retake", photo)
    total = float(page.evaluate("window.waited"))
    entry = page.evaluate(
        "performance.getEntriesByType('resource').filter((one) => one.initiatorType === "
        "'xmlhttprequest' && new URL(one.name).pathname === '/').map((one) => one.duration).pop()"
    )
    if not page.locator("#app .total").count():
        sys.exit("the photo gives no winning hand: nothing was tallied")
    return total, float(entry or 0)


def main() -> None:
    """Print the measurement."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--runs", type=int, default=11)
    parser.add_argument("--photo", type=Path)
    parser.add_argument("--chromium", default=os.environ.get("PAITAI_CHROMIUM") or shutil.which("chromium"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        photo = options.photo or large_photo(Path(folder))
        code = "import sys, webui; sys.exit(webui.serve('127.0.0.1', 0, lang='zh'))"
        command = [sys.executable, "-u", "-c", code]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                address = next(word for line in server.stdout for word in line.split() if word.startswith("http://"))
                with sync_playwright() as playwright:
                    browser = playwright.chromium.launch(executable_path=options.chromium, args=list(FLAGS))
                    page = browser.new_page(viewport={"width": 390, "height": 844})
                    first_photo(page, address, photo)  # the models load at the first photo
                    runs = [shutter(page, other) for other in other_photos(photo, Path(folder), options.runs)]
                    browser.close()
            finally:
                server.terminate()
        totals, answers = [one for one, _ in runs], [one for _, one in runs]
        with Image.open(io.BytesIO(photo.read_bytes())) as opened:
            width, height = opened.size
        print(
            f"{width} x {height} pixels, {photo.stat().st_size / 1e6:.1f} MB, {options.runs} photos: shutter to tally "
            f"median {statistics.median(totals):.0f} ms, slowest {max(totals):.0f} ms; of these from request to answer "
            f"median {statistics.median(answers):.0f} ms"
        )


if __name__ == "__main__":
    main()
