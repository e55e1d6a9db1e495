"""Libraries that a laptop with Windows may lack: a sentence with the way out, on the page and in the terminal."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PIL import Image

from paitai.commands import main
from vision.photo.image import PhotoError, load_photo
from vision.photo.sample import sample_photo_path
from vision.pixels.server import onnx_session
from webui import create_app

NOT_FOUND = "DLL load failed while importing {}: The specified module could not be found."


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Make the import of a library fail as Windows' loader does."""

    def take_away(name: str) -> None:
        class Missing:
            @staticmethod
            def find_spec(wanted: str, *_: Any) -> None:
                if wanted.split(".")[0] == name:
                    raise ImportError(NOT_FOUND.format(wanted), name=wanted)

        for module in [module for module in sys.modules if module.split(".")[0] == name]:
            monkeypatch.delitem(sys.modules, module)
        monkeypatch.setattr(sys, "meta_path", [Missing(), *sys.meta_path])

    return take_away


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_photo_that_no_network_can_read_is_told_why(
    lang: str, without: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    without("onnxruntime")
    monkeypatch.setattr(onnx_session, "ON_WINDOWS", True)
    client = create_app({"DATA": str(tmp_path)}).test_client()
    photo = sample_photo_path().read_bytes()
    for address in ("/api/read", "/"):
        answer = client.post(f"{address}?lang={lang}", data={"photo": (io.BytesIO(photo), "a.jpg")})
        assert answer.status_code == 503
        told = answer.get_data(as_text=True)
        assert onnx_session.WINDOWS_RUNTIME in told
        assert "Traceback" not in told


def test_the_terminal_says_it_too(without: Any, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    without("onnxruntime")
    monkeypatch.setattr(onnx_session, "ON_WINDOWS", True)
    assert main(["read", "--lang", "en", str(sample_photo_path())]) == 2
    told = capsys.readouterr().err
    assert onnx_session.WINDOWS_RUNTIME in told
    assert "Traceback" not in told


def test_any_other_library_points_to_the_doctor(without: Any, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    without("platformdirs")
    monkeypatch.delenv("PAITAI_DATA")
    assert main(["records", "verify", "--lang", "en"]) == 2
    told = capsys.readouterr().err
    assert told.startswith("platformdirs does not start")
    assert "paitai doctor" in told


def test_the_folder_of_the_runtime_from_pip_is_offered_to_the_loader(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """msvc-runtime puts its DLLs into the environment's folder and its Scripts, outside every library's search path."""
    names = ["msvcp140.dll", "Scripts/MSVCP140.dll", "msvcp140_1.dll", "licence.txt"]
    (tmp_path / "Scripts").mkdir()
    files = [SimpleNamespace(name=Path(name).name, locate=lambda name=name: tmp_path / name) for name in names]
    offered: list[str] = []
    monkeypatch.setattr(onnx_session, "ON_WINDOWS", True)
    monkeypatch.setattr(onnx_session, "_offered", {})
    monkeypatch.setattr(onnx_session, "distribution", lambda _: SimpleNamespace(files=files))
    monkeypatch.setattr(os, "add_dll_directory", offered.append, raising=False)
    for _ in range(2):
        onnx_session._onnxruntime()
    assert offered == [str(tmp_path), str(tmp_path / "Scripts")]


def test_without_the_library_for_it_a_heic_photo_says_what_to_do_on_the_phone(without: Any) -> None:
    import pillow_heif

    out = io.BytesIO()
    pillow_heif.from_pillow(Image.new("RGB", (200, 100))).save(out)
    without("pi_heif")
    with pytest.raises(PhotoError) as caught:
        load_photo(out.getvalue())
    assert caught.value.key == "photo_no_heic"
    assert "Most Compatible" in caught.value.message("en")
    assert "最相容" in caught.value.message("zh")
