"""略過: files of an import that hold neither photos nor labels, by their names; this list is the only place that says
so."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

PICTURE_ENDINGS = {".jpg", ".jpeg", ".jpe", ".png", ".webp", ".heic", ".heif", ".gif", ".bmp", ".tif", ".tiff", ".avif"}
ARCHIVES = (".zip", ".rar", ".7z", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".zst")
_FOLDERS = {
    "__macosx",
    ".git",
    ".ipynb_checkpoints",
    "__pycache__",
    "@eadir",
    ".thumbnails",
    ".trash",
    "$recycle.bin",
    "system volume information",
    "annotationsvisualization",
    "segmentationclass",
    "segmentationclasspng",
    "segmentationclassnpy",
    "segmentationclassvisualization",
    "segmentationobject",
    "segmentationobjectpng",
    "segmentationobjectnpy",
    "segmentationobjectvisualization",
}
"""Folders of systems, and of labelling tools for pictures that repeat the labels: masks and photos with boxes drawn
in."""
_NAMES = {
    "thumbs.db",
    "desktop.ini",
    "license",
    "licence",
    "copying",
    "readme",
    "authors",
    "changelog",
    "makefile",
    "dockerfile",
    "citation.cff",
    "license.txt",
    "licence.txt",
    "dataset_dict.json",
    "yolo_anchors.txt",
    "requirements.txt",
    "history.csv",
    "args.yaml",
    "hyp.yaml",
    "opt.yaml",
    "environment.yml",
    "docker-compose.yml",
    "compose.yaml",
    "_config.yml",
}
_HIDDEN = re.compile(r"\.|~\$")
"""Beginnings of names: hidden files, macOS's copies of file attributes (``._x.jpg``), open documents."""
_ABOUT = re.compile(r"(readme|licen[cs]e)\b(.*\.txt|[^.]*)$")
"""Names of texts about a set."""
_SUFFIXES = {
    *(".md", ".rst", ".html", ".htm", ".css", ".js", ".pdf", ".doc", ".docx", ".odt", ".rtf", ".ppt", ".pptx", ".url"),
    *(".py", ".pyc", ".ipynb", ".sh", ".bat", ".ps1", ".cfg", ".ini", ".toml", ".lock", ".log", ".exe", ".dll"),
    *(".pt", ".pth", ".onnx", ".weights", ".engine", ".tflite", ".h5", ".keras", ".safetensors", ".mlmodel"),
    *(".pbtxt", ".meta", ".cache", ".tmp", ".bak", ".swp", ".lnk", ".aae", ".thm", ".xmp", ".svg", ".ico", ".psd"),
    *(".mp3", ".wav", ".m4a", ".srt"),
}
"""Documents, programs, settings, weights of networks, and traces of other programs."""


def is_picture(path: str) -> bool:
    """Whether a file's name is that of a photo."""
    return PurePosixPath(path).suffix.lower() in PICTURE_ENDINGS


def is_ignored(path: str) -> bool:
    """Whether a file is on the list.

    >>> [is_ignored(path) for path in ("__MACOSX/._x.jpg", "README.roboflow.txt", "labels/a.txt", "notes.json")]
    [True, True, False, False]
    """
    *folders, name = path.lower().split("/")
    if _HIDDEN.match(name) or any(folder in _FOLDERS for folder in folders):
        return True
    return not is_picture(path) and (
        name in _NAMES or bool(_ABOUT.match(name)) or PurePosixPath(name).suffix in _SUFFIXES
    )
