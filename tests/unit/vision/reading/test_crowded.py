"""A photo with hundreds of tiles is refused in words before they are read."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from vision.photo.image import Photo
from vision.photo.refusals import PhotoError
from vision.reading import pipeline


@pytest.mark.parametrize(("number", "refused"), [(pipeline.MOST_TILES, False), (pipeline.MOST_TILES + 1, True)])
def test_so_many_tiles(monkeypatch: pytest.MonkeyPatch, number: int, refused: bool) -> None:
    class Finds(SimpleNamespace):
        def __len__(self) -> int:
            return number

    pixels: Any = np.zeros((100, 100, 3), np.uint8)
    monkeypatch.setattr(pipeline, "search", lambda detector, image: (image, Finds(faces=object())))
    monkeypatch.setattr(pipeline, "faces_of", lambda finds: None)
    monkeypatch.setattr(pipeline, "name_tiles", lambda photo, finds, faces: ("read",))
    reader = pipeline.Reader(SimpleNamespace(), None, None, sharpens=False)  # type: ignore[arg-type]
    if not refused:
        assert reader._detect(Photo(pixels, (100, 100)), None) == ("read",)
        return
    with pytest.raises(PhotoError) as error:
        reader._detect(Photo(pixels, (100, 100)), None)
    assert error.value.key == "photo_crowded"
    assert str(number) in error.value.message("zh")
