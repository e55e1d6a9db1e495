"""Characters as masks: the ink of the eight characters of flowers, and of other writing, in installed fonts.

Fonts are grouped by family, because one family may have forty faces and another has one.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from vision.training.synthetic.fonts import Font, draws

Mask = NDArray[np.uint8]
CHARACTERS = "春夏秋冬梅蘭竹菊"
"""In the order of the classes of flowers."""
FORMS = (*CHARACTERS[:5], "蘭兰", *CHARACTERS[6:])
"""How each of them is written."""
OTHERS = (
    "東南西北中發发萬万一二三四五六七八九筒索條花台麻將牌白風龍福祿壽喜財神漁樵耕讀琴棋書畫節李桃杏柳松柏蓮荷桂香杜鵑牡丹"
    "山水人大小天地日月星火木金土石田王玉心手口目耳足食衣住行車馬牛羊犬豕鳥魚虫米禾科種稻私和利務每海悔敏莓侮菜蘋苹茶草英若苦"
    "荀菌筆笑笛等答第算節管箱築各名夕夜多條修候冰冷凍終咚佟枝林森棒楠柑欄爛瀾闌閒間聞門問開關攔襴芳芝菓萄董蔥泰奏奉秦秒愁揪鍬"
    "復履後複憂頁頂夔"
)
"""Other characters: of tiles, of other flowers, and ones that share parts with the eight."""
LATIN = (*"12345678NSEWABc", "PLUM", "SPRING", "SUM", "ORC")
OTHER, LETTERS = 8, 9
"""Kinds of a mask, after the places of the eight in :data:`CHARACTERS`."""
STORED = 72
"""Longer side of a stored mask in pixels, at most."""
MOST_FACES, SOME_OTHERS = 20, 50
"""Faces of a family, and other characters of a face, that are drawn."""
LEAST_PIXELS = 60
"""Less ink is not a character."""
VARIANTS = frozenset({"CJK", "Mono", "MBE", "Sharp", "Big5", "YetHangul", "Eco"})
"""Words of a font's name that tell its region or width and not its design, besides words of one or two letters."""


@dataclass(frozen=True)
class Masks:
    """Characters in fonts: ``pixels`` (n, 72, 72) uint8, ink 255, from the upper left corner; ``sizes`` (n, 2): height
    and width; ``kinds`` (n,); ``families`` (n,) names. ``held`` (n,) marks families left out of the training."""

    pixels: NDArray[np.uint8]
    sizes: NDArray[np.int64]
    kinds: NDArray[np.int64]
    families: NDArray[np.str_]
    held: NDArray[np.bool_]

    def mask(self, place: int) -> Mask:
        """One character without margins, (h, w)."""
        height, width = self.sizes[place]
        return self.pixels[place, :height, :width]

    def by_family(self, kind: int, *, held: bool) -> list[list[int]]:
        """Places of the masks of ``kind``, a list for each family: the ones left out, or the others."""
        families: dict[str, list[int]] = defaultdict(list)
        for place in np.flatnonzero((self.kinds == kind) & (self.held == held)).tolist():
            families[str(self.families[place])].append(place)
        return list(families.values())


def family_of(font: Font) -> str:
    """The name of a font's design, without region, width and weight: ``Noto Sans CJK TC`` is ``Noto Sans``."""
    name = ImageFont.truetype(str(font[0]), 20, index=font[1]).getname()[0] or font[0].stem
    words = [word for word in name.split() if len(word) > 2 and word not in VARIANTS]
    return " ".join(words) or name


def drawn(font: Font, text: str) -> Mask | None:
    """The ink of ``text`` (h, w), 255 on 0, without margins; None if the font lacks it."""
    if not all(draws(font, letter) for letter in text):
        return None
    face = ImageFont.truetype(str(font[0]), STORED, index=font[1])
    picture = Image.new("L", (STORED * (len(text) + 2), STORED * 3))
    ImageDraw.Draw(picture).text((STORED, STORED), text, font=face, fill=255)
    ink = np.asarray(picture)
    ys, xs = np.nonzero(ink > 40)
    if len(ys) < LEAST_PIXELS:
        return None
    cut = ink[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]
    scale = STORED / max(cut.shape)
    if scale >= 1:
        return cut.copy()
    size = (max(1, round(cut.shape[1] * scale)), max(1, round(cut.shape[0] * scale)))
    return cv2.resize(cut, size, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)


def _texts(rng: random.Random) -> list[tuple[int, str]]:
    """Kind and text of what one face draws."""
    ours = [(kind, form) for kind, forms in enumerate(FORMS) for form in forms]
    others = [(OTHER, text) for text in rng.sample(sorted(set(OTHERS)), SOME_OTHERS)]
    return [*ours, *others, *((LETTERS, text) for text in rng.sample(LATIN, 4))]


def draw_masks(fonts: Sequence[Font], keep_out: Sequence[str] = ()) -> Masks:
    """The characters in every font of ``fonts`` that has one of the eight.

    keep_out: words. A family is left out as a whole if a path of one of its files has such a word, in either case.
    Raises ValueError if no font is left to train with.
    """
    families: dict[str, list[Font]] = defaultdict(list)
    for font in fonts:
        if any(draws(font, character) for character in CHARACTERS):
            families[family_of(font)].append(font)
    pixels, sizes, kinds, names, held = [], [], [], [], []
    for name, faces in sorted(families.items()):
        rng = random.Random(name)
        out = any(_has_word(path, keep_out) for path, _ in faces)
        for face in rng.sample(faces, min(MOST_FACES, len(faces))):
            for kind, text in _texts(rng):
                ink = drawn(face, text)
                if ink is None:
                    continue
                stored = np.zeros((STORED, STORED), np.uint8)
                stored[: ink.shape[0], : ink.shape[1]] = ink
                pixels.append(stored)
                sizes.append(ink.shape)
                kinds.append(kind)
                names.append(name)
                held.append(out)
    if all(held):
        raise ValueError("no font with the characters of flowers is installed, or all are left out")
    return Masks(np.stack(pixels), np.array(sizes), np.array(kinds), np.array(names), np.array(held))


def _has_word(path: Path, words: Sequence[str]) -> bool:
    return any(word.lower() in str(path).lower() for word in words)
