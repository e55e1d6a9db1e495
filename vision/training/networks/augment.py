"""Crops as the classifier is taught on them: turned, shifted, lit, shaken, covered; and as it reads them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor

from scoring import tiles
from vision.models.manifest import PAD
from vision.training.data.crops import ROOM_SIDES
from vision.training.networks.detector import NO_TILE_CLASS

CLASS_COUNT = NO_TILE_CLASS + 1
BACK, BIRD = 42, 18
IS_FLOWER = np.isin(np.arange(CLASS_COUNT), tiles.FLOWERS)
"""Which of the class numbers are flowers."""
LOOSE_SHARE = 0.35
"""Share of the crops whose box is as far off as a detector's worst."""
FLAT_SHARE, FLATTEST = 0.15, 1.8
"""Share of the crops seen from low over the table, and the most by which a side is then shorter."""
CUT_SHARE, CUT = 0.12, (0.05, 0.4)
"""Share of the tiles cut by the edge of the photo, and how much of them it hides."""


@dataclass(frozen=True)
class _Chance:
    """What differs by chance among ``n`` crops, on the device of the ``generator``."""

    n: int
    generator: torch.Generator

    def uniform(self, low: float, high: float, *shape: int) -> Tensor:
        drawn = torch.rand(self.n, *shape, generator=self.generator, device=self.generator.device)
        return drawn * (high - low) + low

    def normal(self, *shape: int) -> Tensor:
        return torch.randn(self.n, *shape, generator=self.generator, device=self.generator.device)

    def happens(self, share: float) -> Tensor:
        return self.uniform(0, 1) < share


def looked_at(sizes: Tensor, classes: Tensor, side: int, generator: torch.Generator, *, hard: bool = False) -> Tensor:
    """Random places of n views in the stored crops: (n, side, side, 2) in -1..1, across and down.

    Args:
        sizes: width and height (n, 2) of the tiles' boxes over the longer side.
        classes: class numbers (n,).
        side: of the views, in pixels.
        generator: of the chance.
        hard: some are seen from low over the table, and the photo's edge hides a part of some tiles.
    """
    n, device = len(sizes), generator.device
    chance = _Chance(n, generator)
    uniform, normal, happens = chance.uniform, chance.normal, chance.happens
    quarter = torch.randint(0, 4, (n,), generator=generator, device=device) * (math.pi / 2)
    jitter = normal() * math.radians(7)
    free = happens(0.5)
    angle = torch.where(free, uniform(0, 2 * math.pi), quarter + jitter)
    cos, sin = angle.cos(), angle.sin()
    # One side is seen shorter, or not to its end.
    tile = classes != NO_TILE_CLASS
    chosen = F.one_hot(torch.randint(0, 2, (n,), generator=generator, device=device), 2).float()
    flat = torch.where(happens(FLAT_SHARE if hard else 0.0), uniform(0, math.log(FLATTEST)), 0.0).exp()
    flatter = 1 + chosen * (flat - 1)[:, None]
    hidden = torch.where(happens(CUT_SHARE if hard else 0.0) & tile, uniform(*CUT), 0.0)
    end = (torch.randint(0, 2, (n,), generator=generator, device=device) * 2 - 1).float()
    w, h = (sizes / flatter * (1 - chosen * hidden[:, None])).unbind(1)
    turned = torch.maximum(w * cos.abs() + h * sin.abs(), w * sin.abs() + h * cos.abs())
    # A box that is nearly square is a tile already turned: its face does not grow when turned further.
    whole = (hidden == 0) & (flat == 1)
    turned = torch.where(whole & (sizes.amin(1) > 0.86), torch.ones_like(turned), turned)
    # Boxes of a detector are off: mostly by little, on tables it has not seen by up to a fifth and at another scale. A
    # window without a tile does not move: its neighbour is a tile.
    loose = happens(LOOSE_SHARE) & tile
    off = torch.where(loose, uniform(math.log(0.7), math.log(1.35)), normal() * 0.09)
    scale = turned * (1 + 2 * PAD) / ROOM_SIDES * off.exp()
    squeeze = torch.exp(normal() * 0.07)
    shear = normal() * 0.08
    a = torch.stack((cos * squeeze, -sin + shear * cos, sin * squeeze, cos + shear * sin), 1).view(n, 2, 2)
    a = a * scale.view(n, 1, 1) * flatter[:, :, None]
    shift = normal(2, 1) * 0.045
    far = 0.2 * 2 / ROOM_SIDES  # in units of half a stored window
    shift = torch.where(loose.view(n, 1, 1), uniform(-far, far, 2, 1), shift)
    away = (
        (hidden * end)[:, None] * chosen * sizes / ROOM_SIDES
    )  # from the tile's centre to the centre of its visible part
    grid = F.affine_grid(torch.cat((a, shift - away[:, :, None]), 2), [n, 3, side, side], align_corners=False)
    # Beyond the edge of the photo its last pixels repeat, as in crops cut for reading.
    edge = (1 - 2 * hidden)[:, None] * sizes / ROOM_SIDES
    edge = torch.where((chosen > 0) & (hidden > 0)[:, None], edge, math.inf).view(n, 1, 1, 2)
    return torch.where(end.view(n, 1, 1, 1) > 0, torch.minimum(grid, edge), torch.maximum(grid, -edge))


def augment(
    pixels: Tensor, sizes: Tensor, classes: Tensor, side: int, generator: torch.Generator, *, hard: bool = False
) -> Tensor:
    """Stored crops to network inputs (n, 3, side, side): any rotation, never a mirror.

    The window follows a detector's box round the turned tile. All tensors are on the device of ``generator``.

    Args:
        pixels: the crops (n, 3, 144, 144) in 0..1.
        sizes: width and height (n, 2) of the tiles' boxes over the longer side.
        classes: class numbers (n,).
        side: of the inputs, in pixels.
        generator: of the chance.
        hard: as in :func:`looked_at`.
    """
    n, device = len(pixels), generator.device
    chance = _Chance(n, generator)
    uniform, normal, happens = chance.uniform, chance.normal, chance.happens
    places = looked_at(sizes, classes, side, generator, hard=hard)
    out = F.grid_sample(pixels, places, padding_mode="border", align_corners=False)

    grey = out.mean(1, keepdim=True)
    saturation = uniform(0.5, 1.4, 1, 1, 1)
    out = grey + (out - grey) * saturation
    out = out * torch.exp(normal(3, 1, 1) * 0.09)  # colour of the light
    lamp = happens(0.06).view(n, 1, 1, 1)
    out = torch.where(lamp, out * uniform(0.1, 1, 3, 1, 1), out)
    # Backs come in every colour, the data has four; the bird of 1s and the flowers are coloured otherwise in each set.
    coloured = (classes == BIRD) | torch.from_numpy(IS_FLOWER).to(device)[classes]
    chance = torch.where(classes == BACK, 0.7, torch.where(coloured, 0.3, 0.0))
    roll = (uniform(0, 1) < chance).nonzero()[:, 0]
    if len(roll):
        order = torch.rand(len(roll), 3, generator=generator, device=device).argsort(1)
        out[roll] = out[roll].gather(1, order.view(-1, 3, 1, 1).expand(-1, -1, side, side))
    mean = out.mean((1, 2, 3), keepdim=True)
    out = (out - mean) * uniform(0.6, 1.35, 1, 1, 1) + mean
    out = out * torch.exp(normal(1, 1, 1) * 0.25)
    # A shadow or a glare: light that changes across the crop.
    ramp = torch.linspace(-1, 1, side, device=device)
    slope = normal(2, 1, 1) * 0.12
    out = out * (1 + slope[:, 0:1] * ramp.view(1, 1, -1, 1) + slope[:, 1:2] * ramp.view(1, 1, 1, -1))
    # Small or blurred photos.
    how, much = torch.rand(2, generator=generator, device=device).tolist()
    third = torch.randperm(n, generator=generator, device=device)[: n // 3]
    if how < 0.5:
        small = int(side * (1 / 3 + much * 5 / 12))
        low = F.interpolate(out[third], size=small, mode="area")
        out[third] = F.interpolate(low, size=side, mode="bilinear", align_corners=False)
    else:
        radius = 3 if how < 0.8 else 5
        out[third] = F.avg_pool2d(F.pad(out[third], (radius // 2,) * 4, mode="replicate"), radius, 1)
    shaken = happens(0.15).nonzero()[:, 0]
    if len(shaken):
        out[shaken] = _blurred(out[shaken], generator)
    dim = happens(0.1)
    out = torch.where(dim.view(n, 1, 1, 1), out * uniform(0.12, 0.5, 1, 1, 1), out)
    grit = torch.where(dim.view(n, 1, 1, 1), uniform(0.01, 0.07, 1, 1, 1), uniform(0, 0.05, 1, 1, 1))
    out = out + normal(*out.shape[1:]) * grit
    # A finger, a chip, a hard glare over part of the tile.
    start, reach = uniform(0, 0.8 * side, 2, 1), uniform(side / 10, side / 3, 2, 1)
    line = torch.arange(side, device=device)
    inside = (line >= start) & (line < start + reach) & happens(0.15).view(n, 1, 1)
    over = inside[:, 0, :, None] & inside[:, 1, None, :]
    return torch.where(over[:, None], uniform(0, 1, 3, 1, 1), out).clamp(0, 1)


def _blurred(pixels: Tensor, generator: torch.Generator) -> Tensor:
    """Blur each crop on its own: along a line up to a fifth of its side (a moving hand), or round (a lens out of
    focus)."""
    n, channels, side, _ = pixels.shape
    reach = side // 10
    span = torch.arange(-reach, reach + 1, dtype=torch.float32, device=generator.device)
    ys, xs = span.view(1, -1, 1), span.view(1, 1, -1)

    def uniform(low: float, high: float) -> Tensor:
        return (torch.rand(n, generator=generator, device=generator.device) * (high - low) + low).view(n, 1, 1)

    angle, long = uniform(0, math.pi), uniform(0.8, reach)
    along, across = xs * angle.cos() + ys * angle.sin(), ys * angle.cos() - xs * angle.sin()
    line = torch.exp(-(across**2) / 0.5) * ((along.abs() - long).clamp_min(0) * -4).exp()
    spot = torch.exp(-(xs**2 + ys**2) / (2 * uniform(0.5, side / 28) ** 2))
    kernel = torch.where(uniform(0, 1) < 0.6, line, spot)
    kernel = (kernel / kernel.sum((1, 2), keepdim=True)).view(n, 1, len(span), len(span))
    padded = F.pad(pixels, (reach,) * 4, mode="replicate").reshape(1, n * channels, side + 2 * reach, -1)
    out = F.conv2d(padded, kernel.repeat_interleave(channels, 0), groups=n * channels)
    return out.view(n, channels, side, side)


def plain(pixels: Tensor, side: int) -> Tensor:
    """Stored crops to network inputs, only cut, otherwise unchanged: as the shipped reader sees them."""
    inner = round(pixels.shape[-1] * (1 + 2 * PAD) / ROOM_SIDES)
    start = (pixels.shape[-1] - inner) // 2
    part = pixels[:, :, start : start + inner, start : start + inner]
    return F.interpolate(part, size=side, mode="bilinear", align_corners=False, antialias=True)


def as_tensor(pixels: NDArray[np.uint8]) -> Tensor:
    return torch.from_numpy(pixels).permute(0, 3, 1, 2).float() / 255
