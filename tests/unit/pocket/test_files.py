"""What goes to the phone: everything that is imported there, and nothing that it cannot run."""

from __future__ import annotations

import subprocess
import sys

from pocket.build.packs import pack, unpack
from pocket.build.python_files import library_files, own_files

WITHOUT = """
import sys
from importlib.abc import MetaPathFinder
held = set(sys.argv[1].split())

class Only(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        ours = name.split(".")[0] in ("scoring", "vision", "webui", "pocket", "paitai")
        if ours and not name.startswith("vision.pixels.server") and name not in held:
            raise ModuleNotFoundError(f"{name} is not in the pocket")
        if name.split(".")[0] in ("msgspec", "waitress", "cryptography"):
            raise ModuleNotFoundError(f"{name} is not in the pocket")

sys.meta_path.insert(0, Only())
from pocket.worker import imported
"""


def test_what_is_imported_at_the_start_is_there() -> None:
    names = {path.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for path in own_files()}
    assert "webui.labelling.jobs" not in names
    assert "vision.training.recipe" not in names
    done = subprocess.run([sys.executable, "-c", WITHOUT, " ".join(names)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_libraries_are_python_only() -> None:
    files = library_files()
    assert {"flask/app.py", "sqlalchemy/__init__.py", "markupsafe/_native.py", "segno/__init__.py"} <= set(files)
    assert not [name for name in files if name.endswith((".so", ".pyd", ".c", ".pyx"))]
    assert not [name for name in files if name.startswith(("numpy", "cv2", "greenlet"))]


def test_a_pack_is_the_same_whenever_it_is_made_and_gives_its_files_back() -> None:
    files = {"b/台.txt": "台".encode(), "a.py": b"", "b/c/d.bin": bytes(range(256))}
    assert unpack(pack(files)) == files
    assert pack(files) == pack(dict(reversed(files.items())))
