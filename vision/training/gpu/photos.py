"""Photos in a graphics card's memory, and pictures cut out of them there to train a detector.

A photo is stored in the middle of a grey square, in full size and at a half, a quarter and an eighth of it. So a
picture that shows it smaller comes from a smoothed one. Changed by chance: place, scale, angle, squeeze, four photos
in one picture, shake, focus, light and colour. Never mirrored.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from PIL import Image
from torch import Tensor

from vision.detection.detector import Detector
from vision.photo.image import load_photo
from vision.training.data.crops import WEB_SCENES, scenes_of
from vision.training.networks.detector import NO_TILE_CLASS, UNLABELLED, paint_over

STORED_SIDE, MARGIN, LEVELS = 832, 16, 4
"""Side of the square in pixels, the grey margin round a photo in it, and the number of stored sizes."""
GREY = 114
MOST_BOXES = 200
"""The most boxes of a photo; of more, a random choice is used."""
BALANCE = 0.3
"""A photo of a table with n photos is shown n to the power of minus this as often as the photo of a single one."""
JOINED = 0.35
"""Share of the pictures that show four photos, each in its corner."""
ZOOM, FAR, FARTHEST = (0.55, 1.7), 0.25, 2.5
"""By how much a photo is shown smaller than it fits, and the share that is much smaller, and by how much at most."""
TILE_PIXELS = (9.0, 170.0)
"""Least and greatest length of a photo's middling tile in a picture."""
QUARTERS, ASKEW = 0.5, 0.2
"""Shares of photos turned by quarters, and turned by any angle up to 60°."""
SQUEEZED, FLATTEST = 0.2, 1.6
"""Share of photos seen from low over the table, and the most by which a side is then shorter."""
BLURRED, POINTS = 0.3, 12
"""Share of the pictures of one photo that are shaken or out of focus, and of how many looks one is the mean."""
SHAKEN, UNFOCUSED = (0.04, 0.18), (0.02, 0.06)
"""By how many tiles: the length of a shake, the standard deviation of a blur."""
LEAST_SEEN, LEAST_SIDE = 0.3, 3.0
"""Share of a box that a picture must show, and the pixels of its shorter side, for it to be a box there."""


@dataclass(frozen=True)
class Photo:
    """``pixels`` (h, w, 3) RGB, ``boxes`` (n, 4) x1 y1 x2 y2 in them, and this photo's ``share`` of all pictures."""

    pixels: NDArray[np.uint8]
    boxes: NDArray[np.float32]
    share: float


@dataclass(frozen=True)
class Pictures:
    """``pixels`` (n, 3, side, side) 0 to 1. For each box the number of its picture, ``of`` (m,), in order; and
    ``boxes`` (m, 4): centre, width and height in shares of the side."""

    pixels: Tensor
    of: Tensor
    boxes: Tensor


def read_photos(
    folders: Sequence[Path], shares: Sequence[float], without: Collection[str] = (), first: Detector | None = None
) -> list[Photo]:
    """The train photos of sets in YOLO layout, without some scenes.

    Args:
        folders: the sets. The first has a ``sources.csv``; its scenes hold for photos of the same names in the others.
        shares: of what is shown, for each set.
        without: the scenes to leave out.
        first: its finds are painted over in photos with unlabelled backs; without it these photos are left out.
    """
    scenes = scenes_of(folders[0])
    finders: list[Detector | None] = []
    paths: list[Path] = []
    weights: list[float] = []
    for folder, share in zip(folders, shares, strict=True):
        stored = sorted((folder / "images/train").iterdir())
        listed = folder / UNLABELLED
        backs = set(listed.read_text().split()) if listed.is_file() else set()
        if first is None:
            stored = [path for path in stored if path.stem not in backs]
        chosen = [path for path in stored if scenes.get(path.stem, "") not in without]
        finders += [first if path.stem in backs else None for path in chosen]
        tables = [path.stem if scenes.get(path.stem, "") in {"", *WEB_SCENES} else scenes[path.stem] for path in chosen]
        photos = Counter(tables)
        own = np.array([photos[table] ** -BALANCE for table in tables])
        paths += chosen
        weights += (own * (share / own.sum())).tolist()
    with ThreadPoolExecutor() as pool:
        return list(pool.map(_read, paths, weights, finders))


def _read(path: Path, share: float, first: Detector | None) -> Photo:
    """One photo, no larger than the square holds; ``first``: what it finds and no label names is painted over."""
    lines = (path.parents[2] / f"labels/train/{path.stem}.txt").read_text(encoding="utf-8").splitlines()
    rows = [[float(value) for value in line.split()] for line in lines]
    shares = np.array([row[1:] for row in rows if row[0] != NO_TILE_CLASS], np.float32).reshape(-1, 4)
    pixels = load_photo(path).pixels
    if first is not None:
        pixels = np.asarray(
            paint_over(Image.fromarray(pixels), [(x, y, w, h) for x, y, w, h in shares.tolist()], first)
        )
    room = STORED_SIDE - 2 * MARGIN
    scale = room / max(pixels.shape[:2])
    if scale < 1:
        pixels = np.asarray(cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        pixels = pixels[:room, :room]
    high, wide = pixels.shape[:2]
    middles, sides = shares[:, :2] * (wide, high), shares[:, 2:] * (wide, high)
    return Photo(pixels, np.hstack((middles - sides / 2, middles + sides / 2)).astype(np.float32), share)


class PhotoStore:
    """Photos on a ``device``, with their boxes."""

    def __init__(self, photos: Sequence[Photo], device: torch.device, seed: int = 0) -> None:
        """``seed``: of the chance by which pictures are made."""
        self.device, self._chance = device, torch.Generator(device).manual_seed(seed)
        count, rng = len(photos), np.random.default_rng(seed)
        squares = torch.full((count, 3, STORED_SIDE, STORED_SIDE), GREY, dtype=torch.uint8, device=device)
        boxes = np.zeros((count, MOST_BOXES, 4), np.float32)
        counts, tiles = np.zeros(count, np.int64), np.zeros(count, np.float32)
        corners = np.zeros((count, 4), np.float32)
        for place, photo in enumerate(photos):
            high, wide = photo.pixels.shape[:2]
            left, top = (STORED_SIDE - wide) // 2, (STORED_SIDE - high) // 2
            pixels = torch.from_numpy(photo.pixels.copy()).permute(2, 0, 1)
            squares[place, :, top : top + high, left : left + wide] = pixels
            own = rng.permutation(photo.boxes)[:MOST_BOXES] + np.array((left, top, left, top), np.float32)
            boxes[place, : len(own)], counts[place] = own, len(own)
            corners[place] = left, top, left + wide, top + high
            longer = (own[:, 2:] - own[:, :2]).max(axis=1)
            tiles[place] = np.median(longer) if len(own) else 60.0
        self.levels = [squares]
        for _ in range(LEVELS - 1):
            halves = [F.avg_pool2d(part.float(), 2).round().byte() for part in self.levels[-1].split(64)]
            self.levels.append(torch.cat(halves))
        self.boxes, self.counts = torch.from_numpy(boxes).to(device), torch.from_numpy(counts).to(device)
        self._shares = torch.tensor([photo.share for photo in photos], device=device)
        self.corners, self.tiles = torch.from_numpy(corners).to(device), torch.from_numpy(tiles).to(device)

    def pictures(self, count: int, side: int) -> Pictures:
        """``count`` random pictures of ``side`` pixels."""
        joined = round(count * JOINED)
        pixels = torch.full((count, 3, side, side), GREY / 255, device=self.device)
        parts: list[tuple[Tensor, Tensor]] = []
        split = self._uniform(joined, 2, low=0.3, high=0.7) * side
        zeros, whole = torch.zeros_like(split), torch.full_like(split, side)
        for right in (False, True):
            for low in (False, True):
                x1, x2 = (split[:, 0], whole[:, 0]) if right else (zeros[:, 0], split[:, 0])
                y1, y2 = (split[:, 1], whole[:, 1]) if low else (zeros[:, 1], split[:, 1])
                region = torch.stack((x1, y1, x2, y2), 1)
                shown, of, boxes = self._shown(region, side, blurred=0.0)
                line = torch.arange(side, device=self.device) + 0.5
                across = (line >= x1[:, None]) & (line < x2[:, None])
                down = (line >= y1[:, None]) & (line < y2[:, None])
                inside = (down[:, :, None] & across[:, None, :])[:, None]
                pixels[:joined] = torch.where(inside, shown, pixels[:joined])
                parts.append((of, boxes))
        region = torch.tensor([0.0, 0.0, side, side], device=self.device).expand(count - joined, 4)
        pixels[joined:], of, boxes = self._shown(region, side, blurred=BLURRED)
        parts.append((of + joined, boxes))
        of, order = torch.cat([numbers for numbers, _ in parts]).sort(stable=True)
        boxes = torch.cat([numbers for _, numbers in parts])[order]
        middles, sides = (boxes[:, :2] + boxes[:, 2:]) / 2, boxes[:, 2:] - boxes[:, :2]
        return Pictures(self._lit(pixels), of, torch.cat((middles, sides), 1) / side)

    def _uniform(self, *shape: int, low: float = 0.0, high: float = 1.0) -> Tensor:
        return torch.rand(*shape, generator=self._chance, device=self.device) * (high - low) + low

    def _normal(self, *shape: int) -> Tensor:
        return torch.randn(*shape, generator=self._chance, device=self.device)

    def _happens(self, count: int, share: float) -> Tensor:
        return self._uniform(count) < share

    def _matrices(self, places: Tensor, region: Tensor) -> Tensor:
        """(n, 2, 2): from a picture's pixels, as offsets, to pixels of the photos' squares."""
        count = len(places)
        across = self.corners[places, 2:] - self.corners[places, :2]
        fits = across.amax(1) / (region[:, 2:] - region[:, :2]).amax(1)
        scale = fits * torch.exp(self._uniform(count, low=math.log(ZOOM[0]), high=math.log(ZOOM[1])))
        far = torch.exp(self._uniform(count, high=math.log(FARTHEST)))
        scale = torch.where(self._happens(count, FAR), scale * far, scale)
        tiles = self.tiles[places]
        scale = torch.minimum(torch.maximum(scale, tiles / TILE_PIXELS[1]), tiles / TILE_PIXELS[0])
        quarter = torch.randint(0, 4, (count,), generator=self._chance, device=self.device)
        quarter = torch.where(self._happens(count, QUARTERS), quarter, 0)
        steep = math.radians(60)
        askew = torch.where(self._happens(count, ASKEW), self._uniform(count, low=-steep, high=steep), 0.0)
        angle = quarter * (math.pi / 2) + askew + self._normal(count) * math.radians(3)
        cos, sin = angle.cos(), angle.sin()
        squeeze, shear = torch.exp(self._normal(count) * 0.07), self._normal(count) * 0.05
        matrix = torch.stack((cos * squeeze, shear * cos - sin, sin * squeeze, cos + shear * sin), 1).view(-1, 2, 2)
        flat = torch.exp(self._uniform(count, high=math.log(FLATTEST)))
        flat = torch.where(self._happens(count, SQUEEZED), flat, 1.0)
        first = self._happens(count, 0.5)
        sides = torch.stack((torch.where(first, flat, 1.0), torch.where(first, 1.0, flat)), 1)
        return matrix * sides[:, None, :] * scale.view(-1, 1, 1)

    def _shown(self, region: Tensor, side: int, blurred: float) -> tuple[Tensor, Tensor, Tensor]:
        """Random photos, each in its region (n, 4) of a picture. Returns pixels (n, 3, side, side), the numbers of
        the pictures of the visible boxes (m,), and these boxes (m, 4) in pixels."""
        count = len(region)
        places = torch.multinomial(self._shares, count, replacement=True, generator=self._chance)
        matrix = self._matrices(places, region)
        middle = (region[:, :2] + region[:, 2:]) / 2
        at = middle + (self._uniform(count, 2) - 0.5) * 0.2 * (region[:, 2:] - region[:, :2])
        corners = self.corners[places]
        seen = (matrix.abs() @ (region[:, 2:] - region[:, :2])[:, :, None])[:, :, 0]
        room = (corners[:, 2:] - corners[:, :2] - 0.7 * seen).clamp_min(0)
        source = (corners[:, :2] + corners[:, 2:]) / 2 + (self._uniform(count, 2) - 0.5) * room
        some = (self._uniform(count) * self.counts[places]).long()
        box = self.boxes[places, some]
        to_tile = self._happens(count, 0.4) & (self.counts[places] > 0) & (room > 0).any(1)
        source = torch.where(to_tile[:, None], (box[:, :2] + box[:, 2:]) / 2, source)
        pixels = self._sampled(places, matrix, at, source, side, blurred=blurred)
        of, boxes = self._boxes_seen(places, matrix, at, source, region)
        return pixels, of, boxes

    def _sampled(
        self, places: Tensor, matrix: Tensor, at: Tensor, source: Tensor, side: int, *, blurred: float
    ) -> Tensor:
        """Pixels (n, 3, side, side): the point ``source`` of the square is shown at ``at``."""
        start = source + (matrix @ (side / 2 - at)[:, :, None])[:, :, 0]
        theta = torch.cat((matrix * (side / STORED_SIDE), (2 * start / STORED_SIDE - 1)[:, :, None]), 2)
        scale = _area(matrix).abs().sqrt()
        level = scale.log2().floor().clamp(0, LEVELS - 1)
        coarser = self._happens(len(places), 0.15)
        level = torch.where(coarser, (level + 1).clamp_max(LEVELS - 1), level).long()
        out = torch.empty(len(places), 3, side, side, device=self.device)
        soft = self._happens(len(places), blurred)
        for number, stored in enumerate(self.levels):
            chosen = ((level == number) & ~soft).nonzero()[:, 0]
            if len(chosen):
                out[chosen] = _looked_up(stored, places[chosen], theta[chosen], side)
        chosen = soft.nonzero()[:, 0]
        if len(chosen):
            out[chosen] = self._soft(places[chosen], matrix[chosen], theta[chosen], level[chosen], side)
        return out

    def _soft(self, places: Tensor, matrix: Tensor, theta: Tensor, level: Tensor, side: int) -> Tensor:
        """The mean of several looks, along a line or in a spot: a hand that shook, a lens out of focus."""
        count, tiles = len(places), self.tiles[places]
        angle, length = self._uniform(count, high=math.pi), self._uniform(count, low=SHAKEN[0], high=SHAKEN[1]) * tiles
        spread = self._uniform(count, low=UNFOCUSED[0], high=UNFOCUSED[1]) * tiles
        by_hand, out = self._happens(count, 0.5), torch.zeros(count, 3, side, side, device=self.device)
        for number in range(POINTS):
            along = ((number + 0.5) / POINTS - 0.5) * length
            line = torch.stack((angle.cos() * along, angle.sin() * along), 1)
            spot = self._normal(count, 2) * spread[:, None]
            moved = theta.clone()
            moved[:, :, 2] += torch.where(by_hand[:, None], line, spot) * (2 / STORED_SIDE)
            for number_of, stored in enumerate(self.levels):
                chosen = (level == number_of).nonzero()[:, 0]
                if len(chosen):
                    out[chosen] += _looked_up(stored, places[chosen], moved[chosen], side) / POINTS
        return out

    def _boxes_seen(
        self, places: Tensor, matrix: Tensor, at: Tensor, source: Tensor, region: Tensor
    ) -> tuple[Tensor, Tensor]:
        back = _inverse(matrix)
        boxes = self.boxes[places]
        middles = (boxes[:, :, :2] + boxes[:, :, 2:]) / 2 - source[:, None]
        half = (boxes[:, :, 2:] - boxes[:, :, :2]) / 2
        middles = middles @ back.transpose(1, 2) + at[:, None]
        # A turned tile fills its label's box no longer: between the box of its corners and that of the ellipse in it.
        by_corners = half @ back.abs().transpose(1, 2)
        by_ellipse = ((back[:, None] * half[:, :, None, :]) ** 2).sum(3).sqrt()
        half = (by_corners + by_ellipse) / 2
        low = torch.maximum(middles - half, region[:, None, :2])
        high = torch.minimum(middles + half, region[:, None, 2:])
        sides = (high - low).clamp_min(0)
        known = torch.arange(MOST_BOXES, device=self.device) < self.counts[places][:, None]
        seen = sides.prod(2) >= LEAST_SEEN * (4 * half.prod(2)).clamp_min(1e-6)
        mask = known & seen & (sides.amin(2) >= LEAST_SIDE)
        of = torch.arange(len(places), device=self.device)[:, None].expand_as(mask)[mask]
        return of, torch.cat((low, high), 2)[mask]

    def _lit(self, pixels: Tensor) -> Tensor:
        """The same in other light and colours, with grain."""
        count, side = len(pixels), pixels.shape[2]

        def drawn(low: float, high: float) -> Tensor:
            return self._uniform(count, 1, 1, 1, low=low, high=high)

        swapped = self._happens(count, 0.1).nonzero()[:, 0]
        if len(swapped):
            order = self._uniform(len(swapped), 3).argsort(1)
            pixels[swapped] = pixels[swapped].gather(1, order.view(-1, 3, 1, 1).expand(-1, -1, side, side))
        grey = pixels.mean(1, keepdim=True)
        pixels = grey + (pixels - grey) * drawn(0.3, 1.6)
        pixels = pixels * torch.exp(self._normal(count, 3, 1, 1) * 0.1)
        lamp = self._happens(count, 0.06).view(-1, 1, 1, 1)
        pixels = torch.where(lamp, pixels * self._uniform(count, 3, 1, 1, low=0.2), pixels)
        mean = pixels.mean((1, 2, 3), keepdim=True)
        pixels = (pixels - mean) * drawn(0.65, 1.35) + mean
        pixels = pixels.clamp_min(0) ** torch.exp(self._normal(count, 1, 1, 1) * 0.2)
        ramp = torch.linspace(-1, 1, side, device=self.device)
        slope = self._normal(count, 2, 1, 1) * 0.1
        pixels = pixels * (1 + slope[:, :1] * ramp.view(1, 1, -1, 1) + slope[:, 1:] * ramp.view(1, 1, 1, -1))
        dim = self._happens(count, 0.12).view(-1, 1, 1, 1)
        gain = torch.where(dim, drawn(0.2, 0.6), torch.exp(self._normal(count, 1, 1, 1) * 0.2))
        grain = torch.where(dim, drawn(0.0, 0.035), drawn(0.0, 0.03) * self._happens(count, 0.5).view(-1, 1, 1, 1))
        return (pixels * gain + self._normal(*pixels.shape) * grain).clamp(0, 1)


def _area(matrix: Tensor) -> Tensor:
    """The determinants (n,) of matrices (n, 2, 2): a card works them out for so small ones in no time, the general way
    not."""
    return matrix[:, 0, 0] * matrix[:, 1, 1] - matrix[:, 0, 1] * matrix[:, 1, 0]


def _inverse(matrix: Tensor) -> Tensor:
    """The inverses (n, 2, 2)."""
    a, b, c, d = matrix.flatten(1).unbind(1)
    return torch.stack((d, -b, -c, a), 1).view(-1, 2, 2) / _area(matrix).view(-1, 1, 1)


def _looked_up(stored: Tensor, places: Tensor, theta: Tensor, side: int) -> Tensor:
    """Pictures (n, 3, side, side) of photos in one size, 0 to 1."""
    grid = F.affine_grid(theta, [len(places), 3, side, side], align_corners=False)
    return F.grid_sample(stored[places].float() / 255, grid, padding_mode="border", align_corners=False)
