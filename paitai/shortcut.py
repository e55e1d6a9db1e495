"""`paitai shortcut`: a file to double-click that starts the page with the Python that runs now."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

SENTENCES = {
    "zh": {
        "made": "做好了：{path}\n雙擊就會啟動拍台並打開頁面；關掉那個視窗就停。拍台換了資料夾就再做一次。",
        "failed": "{path}：寫不進去（{reason}）。換一個資料夾：paitai shortcut 資料夾",
    },
    "en": {
        "made": "Made: {path}\nDouble-click it to start PaiTai and open its page; closing its window stops it. "
        "Make it again where PaiTai was moved.",
        "failed": "{path}: cannot be written ({reason}). Another folder: paitai shortcut FOLDER",
    },
}


def desktop() -> Path:
    """The desktop, even if a cloud service has moved it; the home folder without a desktop."""
    home = Path.home()
    clouds = [Path(os.environ[name]) / "Desktop" for name in ("OneDrive", "OneDriveConsumer") if os.environ.get(name)]
    return next((folder for folder in (*clouds, home / "Desktop", home / "桌面") if folder.is_dir()), home)


def script(arguments: list[str], system: str = sys.platform) -> tuple[str, bytes]:
    """Name and content of the file that runs these arguments on a system as `sys.platform` names it."""
    if system == "win32":
        words = " ".join(f'"{word}"' for word in arguments).replace("%", "%%")
        lines = ["@echo off", "chcp 65001 >nul", "title PaiTai", words, "if errorlevel 1 pause", ""]
        return "paitai.cmd", "\r\n".join(lines).encode()
    name = "paitai.command" if system == "darwin" else "paitai.sh"
    return name, f"#!/bin/sh\nexec {shlex.join(arguments)}\n".encode()


def run(folder: Path | None, lang: str, *, data: str | None = None, https: bool = False, alone: bool = False) -> int:
    """Write the file; returns 2 if that fails.

    folder: the target folder; None: the desktop. data, https: as `paitai serve` takes them. alone: not for phones.
    """
    from vision.files import put_file

    arguments = [
        sys.executable,
        "-m",
        "paitai",
        "serve",
        "--open-running",
        *([] if alone else ["--lan"]),
        *(["--https"] if https else []),
    ]
    if data:
        arguments += ["--data", data if "://" in data else str(Path(data).expanduser().absolute())]
    name, content = script(arguments)
    path = (folder or desktop()).expanduser().absolute() / name
    say = SENTENCES[lang]
    try:
        put_file(path, content, 0o755)
    except OSError as error:
        print(say["failed"].format(path=path, reason=error.strerror or error), file=sys.stderr)
        return 2
    print(say["made"].format(path=path))
    return 0
