"""頁面上的照片: the JPEG of a photo that the page shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vision.photo.image import Photo

PREVIEW_SIDE = 2048
"""Pixels of the longer side of the photo that the page shows. A photo of 12 megapixels is decoded with 2016 and stays
as it is: to make 2000 of them took longer than decoding it."""
PREVIEW_QUALITY = 82


def page_jpeg(photo: Photo, upload: bytes) -> bytes:
    """The page's JPEG of an upright photo: the upload itself if our own page made it (small, nothing but a picture),
    else a new one."""
    if photo.size == photo.pixels.shape[1::-1] and max(photo.size) <= PREVIEW_SIDE and only_a_picture(upload):
        return upload
    return preview(photo)


def only_a_picture(jpeg: bytes) -> bool:
    """Whether a file is a JPEG that holds no EXIF, no comment, no colour profile, and nothing after its end."""
    if jpeg[:2] != b"\xff\xd8" or jpeg[-2:] != b"\xff\xd9" or jpeg.count(b"\xff\xd9") != 1:
        return False
    at = 2
    while at + 4 <= len(jpeg) and jpeg[at] == 0xFF:
        marker = jpeg[at + 1]
        if marker == 0xDA:  # the picture itself begins
            return True
        if marker == 0xFE or 0xE1 <= marker <= 0xEF:
            return False
        at += 2 + int.from_bytes(jpeg[at + 2 : at + 4], "big")
    return False


def preview(photo: Photo) -> bytes:
    """The upright photo as a JPEG for the page, without the EXIF of the original."""
    from vision.pixels.files import jpeg

    return jpeg(photo.pixels, PREVIEW_SIDE, PREVIEW_QUALITY)


def turned_jpeg(jpeg: bytes) -> bytes:
    """A JPEG of the page turned clockwise by a quarter."""
    from vision.pixels import files

    return files.turned_jpeg(jpeg, PREVIEW_QUALITY)
