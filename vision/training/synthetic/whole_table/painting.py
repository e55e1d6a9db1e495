"""快畫: paints a whole table in perspective, tile by tile from far to near: a second for a photo, where the ray tracer
takes minutes. Without rounded edges; shadows are soft patches beside the tiles."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.tiles import BACK
from vision.training.synthetic.raytrace import BACK_SHARE, FACE, HALF_SIZES, Block, Camera, face_quad
from vision.training.synthetic.tables import Table
from vision.training.synthetic.whole_table.laying import Laid

Floats = NDArray[np.float32]
Box = tuple[float, float, float, float]
LEAST_SEEN = 0.45
"""A tile of which less is visible could not be named: it has no label."""
EDGE = 0.9
"""Share of a tile's top inside its rounded edge."""
_SIDES = (((0, 1, 3, 2), 0, -1), ((4, 5, 7, 6), 0, 1), ((0, 1, 5, 4), 1, -1), ((2, 3, 7, 6), 1, 1))
_TOP, _BOTTOM = (1, 3, 7, 5), (0, 2, 6, 4)
_SHADES = {(0, -1): 0.62, (0, 1): 0.78, (1, -1): 0.7, (1, 1): 0.85}
IVORY = (0.83, 0.79, 0.68)


def _room(block: Block, local: Floats) -> Floats:
    """Points (n, 3) of a block's own frame, in the room."""
    lean, turn = block.lean, block.turn
    x, y, z = local.T
    y, z = math.cos(lean) * y - math.sin(lean) * z, math.sin(lean) * y + math.cos(lean) * z
    x, y = math.cos(turn) * x - math.sin(turn) * y, math.sin(turn) * x + math.cos(turn) * y
    points: Floats = (np.stack([x, y, z], 1) + np.array([block.x, block.y, block.z])).astype(np.float32)
    return points


def _corners(block: Block, low: float = -1.0, high: float = 1.0) -> Floats:
    """The eight corners (8, 3) of the part of a block between two heights (-1 bottom, 1 top), in the room."""
    signs = np.array([(i, j, k) for i in (-1, 1) for j in (-1, 1) for k in (low, high)], np.float32)
    return _room(block, signs * block.sides)


def shows_face(camera: Camera, block: Block) -> bool:
    """Whether the camera is on the side of the tile's face."""
    eye, _ = camera.axes()
    middle = _room(block, np.array([[0, 0, HALF_SIZES[2]]], np.float32))[0]
    normal = middle - np.array([block.x, block.y, block.z], np.float32)
    return float(normal @ (eye - middle)) > 0


def _back_quad(camera: Camera, block: Block) -> Floats:
    signs = np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)], np.float32)
    points = np.column_stack((signs * FACE, np.full(4, -HALF_SIZES[2], np.float32))).astype(np.float32)
    return camera.project(_room(block, points))


def visible_quad(camera: Camera, tile: Laid) -> tuple[str, Floats]:
    """The code that the camera sees of a tile, and the corners (4, 2) of that side of it in pixels."""
    if tile.code == BACK or shows_face(camera, tile.block):
        return tile.code, face_quad(camera, tile.block)
    return BACK, _back_quad(camera, tile.block)


class Painting:
    """A picture that is painted from far to near: ``pixels`` (h, w, 3) linear RGB, ``owner`` (h, w) the number of the
    tile at each pixel, -1 for none."""

    def __init__(self, camera: Camera, table: Table) -> None:
        self.camera = camera
        w, h = camera.size
        eye, axes = camera.axes()
        ys, xs = np.mgrid[0:h, 0:w].astype(np.float32)
        rays = np.stack([(xs - w / 2) / camera.focal, (ys - h / 2) / camera.focal, np.ones_like(xs)], 2) @ axes
        depth = -eye[2] / np.minimum(rays[..., 2], -1e-3)
        ground = (eye[:2] + rays[..., :2] * depth[..., None]).clip(-2000, 2000)
        self.pixels: Floats = table(ground.reshape(-1, 2).astype(np.float32)).reshape(h, w, 3).astype(np.float32)
        self.pixels[rays[..., 2] > -0.02] = 0.12  # above the horizon: the room
        self.owner = np.full((h, w), -1, np.int32)

    def shadows(self, blocks: Sequence[Block]) -> None:
        """Darken the table beside the tiles, away from the light."""
        shade = np.zeros(self.owner.shape, np.float32)
        for block in blocks:
            ground = _corners(block).copy()
            ground[:, :2] += 0.5 * ground[:, 2:] * np.array([0.6, -0.5], np.float32)
            ground[:, 2] = 0
            hull = cv2.convexHull(self.camera.project(ground))
            cv2.fillConvexPoly(shade, np.round(hull).astype(np.int32), (0.55,))
        shade = cv2.GaussianBlur(shade, (0, 0), self.owner.shape[1] / 400).astype(np.float32)
        self.pixels *= (1 - shade)[..., None]

    def block(
        self, block: Block, number: int, back: tuple[float, float, float], face: NDArray[np.uint8] | None
    ) -> None:
        """Paint one block; ``number`` -1 for a thing that is no tile."""
        split = -1 + 2 * (BACK_SHARE if number >= 0 else 1)
        thing = block.colour
        low, high = (back, IVORY) if face is not None else (IVORY, back)
        cut = split if face is not None else -split
        parts = [(-1.0, cut, thing or low), (cut, 1.0, thing or high)] if number >= 0 else [(-1.0, 1.0, thing or back)]
        eye, _ = self.camera.axes()
        tint = 1 + 0.08 * math.sin(7.3 * number)  # no two tiles catch the light alike
        for bottom, top, colour in parts:
            corners = _corners(block, bottom, top)
            middle = corners.mean(0)
            for places, axis, sign in _SIDES:
                quad = corners[list(places)]
                if float((quad.mean(0) - middle) @ (eye - quad.mean(0))) > 0:
                    self._fill(quad, colour, _SHADES[axis, sign] * tint, number)
        corners = _corners(block)
        middle = corners.mean(0)
        for places, colour, art in ((_TOP, parts[-1][2], face), (_BOTTOM, parts[0][2], None)):
            quad = corners[list(places)]
            if float((quad.mean(0) - middle) @ (eye - quad.mean(0))) <= 0:
                continue
            self._fill(quad, colour, 0.45 * tint, number)  # the rounded edge, turned away from the light
            inner = quad.mean(0) + (quad - quad.mean(0)) * np.float32(EDGE)
            self._fill(inner, colour, tint, number)
            if art is not None:
                self._art(face_quad(self.camera, block), art)

    def _fill(self, quad: Floats, colour: tuple[float, float, float], shade: float, number: int) -> None:
        flat = np.round(self.camera.project(quad) * 16).astype(np.int32)
        value = tuple(channel * shade for channel in colour)
        cv2.fillConvexPoly(self.pixels, flat, value, cv2.LINE_AA, 4)
        cv2.fillConvexPoly(self.owner, flat, (number,), cv2.LINE_8, 4)

    def _art(self, quad: Floats, face: NDArray[np.uint8]) -> None:
        """Lay the face's print over the quad of the whole top."""
        h, w = self.owner.shape
        x1, y1 = np.floor(quad.min(0)).astype(int) - 1
        x2, y2 = np.ceil(quad.max(0)).astype(int) + 2
        if x1 < 0 or y1 < 0 or x2 > w or y2 > h:
            x1, y1, x2, y2 = max(0, x1), max(0, y1), min(w, x2), min(h, y2)
        if x2 <= x1 or y2 <= y1:
            return
        wide = max(8, int(np.ptp(quad[:, 0])), int(np.ptp(quad[:, 1])))
        art = cv2.resize(face, (wide, wide * 4 // 3), interpolation=cv2.INTER_AREA)
        ah, aw = art.shape[:2]
        inset_x, inset_y = aw * 0.03, ah * 0.03
        source = np.array(
            [(inset_x, inset_y), (aw - inset_x, inset_y), (aw - inset_x, ah - inset_y), (inset_x, ah - inset_y)],
            np.float32,
        )
        matrix = cv2.getPerspectiveTransform(source, quad - np.array([x1, y1], np.float32))
        laid = cv2.warpPerspective(art, matrix, (int(x2 - x1), int(y2 - y1)), flags=cv2.INTER_LINEAR).astype(np.float32)
        alpha = laid[..., 3:] / 255
        part = self.pixels[y1:y2, x1:x2]
        part *= 1 - alpha
        part += (laid[..., 2::-1] / 255) ** 2.2 * 0.92 * alpha


def paint(
    tiles: Sequence[Laid],
    things: Sequence[Block],
    camera: Camera,
    table: Table,
    faces: Mapping[str, NDArray[np.uint8]],
    *,
    back: tuple[float, float, float],
    rng: random.Random,
) -> tuple[Floats, NDArray[np.int32]]:
    """The picture (h, w, 3) in linear RGB of tiles with these ``faces``.

    Also the number of the tile at each pixel (h, w), -1 for none.
    """
    painting = Painting(camera, table)
    painting.shadows([tile.block for tile in tiles] + list(things))
    eye, _ = camera.axes()
    order: list[tuple[float, int]] = []
    for number, block in enumerate([tile.block for tile in tiles] + list(things)):
        order.append((float(np.linalg.norm(eye - np.array([block.x, block.y, block.z]))), number))
    for _, number in sorted(order, reverse=True):
        if number < len(tiles):
            tile = tiles[number]
            painting.block(tile.block, number, back, None if tile.code == BACK else faces[tile.code])
        else:
            painting.block(things[number - len(tiles)], -1, back, None)
    light = 1 + rng.uniform(-0.25, 0.1)
    return painting.pixels * np.float32(light), painting.owner


def seen(camera: Camera, tiles: Sequence[Laid], owner: NDArray[np.int32]) -> list[tuple[int, str, Box]]:
    """Number, visible code and box of the seen part of each tile of which at least LEAST_SEEN is visible. ``owner``:
    the tile at each pixel."""
    boxes: list[tuple[int, str, Box]] = []
    for number, tile in enumerate(tiles):
        code, quad = visible_quad(camera, tile)
        whole = float(cv2.contourArea(quad.astype(np.float32)))
        x1, y1 = np.floor(quad.min(0)).astype(int).clip(0)
        x2, y2 = np.ceil(quad.max(0)).astype(int) + 1
        part = owner[y1:y2, x1:x2]
        if whole < 60 or not part.size:
            continue
        mask = np.zeros(part.shape, np.uint8)
        cv2.fillPoly(mask, [np.round(quad - np.array([x1, y1])).astype(np.int32)], (1,))
        ys, xs = np.nonzero((mask > 0) & (part == number))
        if len(ys) < LEAST_SEEN * whole:
            continue
        box = (float(x1 + xs.min()), float(y1 + ys.min()), float(x1 + xs.max() + 1), float(y1 + ys.max() + 1))
        boxes.append((number, code, box))
    return boxes
