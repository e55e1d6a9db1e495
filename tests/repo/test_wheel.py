"""The wheel works alone: installed outside the checkout it reads the sample photo and tallies it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def run(arguments: list[str], **more: object) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(arguments, capture_output=True, text=True, **more)  # type: ignore[call-overload]
    assert done.returncode == 0, done.stdout + done.stderr
    return done


def build(root: Path, into: Path) -> Path:
    """The wheel of a tree."""
    run([sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(into), str(root)])
    (wheel,) = into.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this tree."""
    return build(ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel's files and nothing of the checkout."""
    target = tmp_path_factory.mktemp("site")
    run([sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target", str(target), str(wheel)])
    return target


def outside(installed: Path, cwd: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(installed), "PYTHONSAFEPATH": "1", "PAITAI_LANG": "zh"}
    return run([sys.executable, *arguments], cwd=cwd, env=environment)


def test_another_copy_of_the_tree_gives_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    """Elsewhere, at another time, with other rights: byte for byte the same, so that anybody can check a release."""
    copy = tmp_path / "elsewhere"
    for name in ("paitai", "pocket", "scoring", "vision", "webui", "models"):
        shutil.copytree(ROOT / name, copy / name, copy_function=shutil.copyfile)
    for name in ("pyproject.toml", "README.md", "LICENSE", ".gitignore"):
        shutil.copyfile(ROOT / name, copy / name)
    for path in copy.rglob("*"):
        os.utime(path, (1_000_000_000, 1_000_000_000))
        path.chmod(0o777 if path.is_dir() else 0o666)
    assert build(copy, tmp_path / "built").read_bytes() == wheel.read_bytes()


def test_packages_come_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    code = "import paitai, scoring, vision, webui; print(*(m.__file__ for m in (paitai, scoring, vision, webui)))"
    for name in outside(installed, tmp_path, "-c", code).stdout.split():
        assert Path(name).is_relative_to(installed), name
        assert Path(name).with_name("py.typed").is_file(), name


def test_demo_runs_outside_the_checkout(installed: Path, tmp_path: Path) -> None:
    done = outside(installed, tmp_path, "-m", "paitai", "demo")
    assert "台" in done.stdout


def test_records_outside_the_checkout(installed: Path, tmp_path: Path) -> None:
    """The steps that bring a database to today's form are in the wheel too."""
    data = tmp_path / "data"
    done = outside(installed, tmp_path, "-m", "paitai", "records", "verify", "--data", str(data))
    assert "還沒有任何紀錄" in done.stdout
    assert (data / "paitai.sqlite").is_file()


def test_page_answers_outside_the_checkout(installed: Path, tmp_path: Path) -> None:
    code = (
        "from webui import create_app; c = create_app({'TESTING': True}).test_client();"
        "r = c.get('/'); assert r.status_code == 200, r.status_code; assert '拍台' in r.text;"
        "s = c.get('/static/tiles/1m.svg'); assert s.status_code == 200, s.status_code"
    )
    outside(installed, tmp_path, "-c", code)
