"""A small ray tracer for rounded boxes on a table: enough to make a photo of mahjong tiles that is ours to give away.

Millimetres everywhere; the table is the plane z = 0, x to the right, y away from the viewer, z up.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.synthetic.tables import Table, bilinear

Floats = NDArray[np.float32]

HALF_SIZES = np.array([12.0, 16.0, 9.0], np.float32)
"""Half the width, length and height of a tile."""
EDGE_RADIUS = 2.0
"""Radius of a tile's edges."""
FACE = np.array([11.3, 15.3], np.float32)
"""Half of the visible face: the extent of a label's box."""
BACK_SHARE = 0.36
"""Share of a tile's height that has the colour of its back."""


@dataclass(frozen=True)
class Block:
    """A tile: its centre ``x, y, z``, turned by ``turn`` radians; ``face`` (h, w, 4) BGRA art, None for a face-down
    tile.

    ``lean``: 0 is flat on the table, a quarter turn is upright with its face towards the viewer (without a face: its
    back). Other things: half their width, length and height in ``half``, and their linear RGB ``colour``."""

    x: float
    y: float
    turn: float
    face: NDArray[np.uint8] | None
    z: float = float(HALF_SIZES[2])
    lean: float = 0.0
    half: tuple[float, float, float] | None = None
    colour: tuple[float, float, float] | None = None

    @property
    def sides(self) -> Floats:
        """Half its width, length and height."""
        return HALF_SIZES if self.half is None else np.array(self.half, np.float32)


@dataclass(frozen=True)
class Camera:
    """A pinhole: ``tilt`` from straight down, ``azimuth`` and ``roll`` in radians. ``distance`` to ``target`` (x, y) on
    the table, ``focal`` in pixels, image ``size`` (w, h)."""

    size: tuple[int, int]
    focal: float
    distance: float
    tilt: float
    azimuth: float = 0.0
    roll: float = 0.0
    target: tuple[float, float] = (0.0, 0.0)

    def axes(self) -> tuple[Floats, Floats]:
        """Position, and rows right, down, forward."""
        st, ct, sa, ca = np.sin(self.tilt), np.cos(self.tilt), np.sin(self.azimuth), np.cos(self.azimuth)
        forward = np.array([st * sa, st * ca, -ct])
        right = np.array([ca, -sa, 0.0])
        down = np.cross(forward, right)
        cr, sr = np.cos(self.roll), np.sin(self.roll)
        across, below = cr * right + sr * down, -sr * right + cr * down
        position = np.array([*self.target, 0.0]) - forward * self.distance
        return position.astype(np.float32), np.stack([across, below, forward]).astype(np.float32)

    def project(self, points: Floats) -> Floats:
        """Pixels (n, 2) of points (n, 3)."""
        position, axes = self.axes()
        seen = (points - position) @ axes.T
        flat = seen[:, :2] / seen[:, 2:] * self.focal + np.array(self.size, np.float32) / 2
        return flat.astype(np.float32)


@dataclass(frozen=True)
class Light:
    """``direction`` towards the lamp, ``soft`` its size (0.1 a spot, 0.5 a window), colours as RGB factors."""

    direction: tuple[float, float, float] = (-0.45, 0.5, 0.85)
    soft: float = 0.22
    key: tuple[float, float, float] = (1.0, 0.97, 0.9)
    fill: tuple[float, float, float] = (0.42, 0.44, 0.48)


@dataclass(frozen=True)
class Scene:
    """Everything in the picture. ``table`` maps (n, 2) millimetres to (n, 3) linear RGB; ``ivory`` and ``back`` are
    linear RGB. A patterned back maps like the table, in a tile's own millimetres."""

    blocks: tuple[Block, ...]
    camera: Camera
    table: Table
    light: Light = field(default_factory=Light)
    ivory: tuple[float, float, float] = (0.83, 0.79, 0.68)
    back: tuple[float, float, float] | Table = (0.03, 0.24, 0.10)


def _local(block: Block, points: Floats) -> Floats:
    return _turn(block, points - np.array((block.x, block.y, block.z), np.float32))


def _turn(block: Block, vectors: Floats, *, back: bool = False) -> Floats:
    """Vectors of the room in the block's own frame; with ``back`` the other way round."""
    c, s = np.float32(np.cos(block.turn)), np.float32(np.sin(block.turn))
    lc, ls = np.float32(np.cos(block.lean)), np.float32(np.sin(block.lean))
    x, y, z = vectors[:, 0], vectors[:, 1], vectors[:, 2]
    if back:
        y, z = lc * y - ls * z, ls * y + lc * z
        return np.stack([c * x - s * y, s * x + c * y, z], 1)
    x, y = c * x + s * y, -s * x + c * y
    return np.stack([x, lc * y + ls * z, -ls * y + lc * z], 1)


def _distance(points: Floats, half: Floats) -> Floats:
    """Signed distance to a rounded box at the origin."""
    # by columns: numpy takes five times as long for sums of three
    x, y, z = (np.abs(points) - (half - np.float32(EDGE_RADIUS))).T
    inside = np.minimum(np.maximum(np.maximum(x, y), z), 0)
    x, y, z = np.maximum(x, 0), np.maximum(y, 0), np.maximum(z, 0)
    result: Floats = np.sqrt(x * x + y * y + z * z) + inside - np.float32(EDGE_RADIUS)
    return result


def _normal(points: Floats, half: Floats) -> Floats:
    q = np.abs(points) - (half - np.float32(EDGE_RADIUS))
    n = np.maximum(q, 0) * np.sign(points)
    length = np.sqrt((n * n).sum(1, keepdims=True))
    flat = np.zeros_like(n)
    flat[:, 2] = 1
    result: Floats = np.where(length > 1e-6, n / np.maximum(length, 1e-6), flat)
    return result


def _corners(block: Block, half: Floats) -> Floats:
    """The eight corners (8, 3), in the room, of a box round the block that extends by ``half`` to each side."""
    signs = np.array([(i, j, k) for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)], np.float32)
    corners: Floats = _turn(block, signs * half, back=True) + np.array((block.x, block.y, block.z), np.float32)
    return corners


def _region(camera: Camera, block: Block, grow: float, height: float) -> tuple[int, int, int, int]:
    """Pixels x1 y1 x2 y2 that a block grown by ``grow``, and upwards by ``height``, covers down to the table."""
    corners = _corners(block, block.sides + np.float32(grow))
    top = corners[:, 2].max() - grow + height
    low = np.minimum(np.column_stack((corners[:, :2], np.zeros(len(corners), np.float32))), corners)
    high = np.column_stack((corners[:, :2], np.full(len(corners), top, np.float32)))
    flat = camera.project(np.concatenate((low, high)).astype(np.float32))
    x1, y1 = np.floor(flat.min(0)).astype(int)
    x2, y2 = np.ceil(flat.max(0)).astype(int) + 1
    w, h = camera.size
    return max(0, min(w, x1)), max(0, min(h, y1)), max(0, min(w, x2)), max(0, min(h, y2))


def face_quad(camera: Camera, block: Block) -> Floats:
    """The corners (4, 2) of a tile's face in pixels: top left, top right, bottom right, bottom left."""
    signs = np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)], np.float32)
    corners = np.column_stack((signs * FACE, np.full(4, HALF_SIZES[2], np.float32)))
    return camera.project(_turn(block, corners, back=True) + np.array((block.x, block.y, block.z), np.float32))


def face_box(camera: Camera, block: Block) -> tuple[float, float, float, float]:
    """Box x1 y1 x2 y2 round the visible face, in pixels; not clipped to the picture."""
    flat = face_quad(camera, block)
    return float(flat[:, 0].min()), float(flat[:, 1].min()), float(flat[:, 0].max()), float(flat[:, 1].max())


def _engraving(face: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Linear RGB with alpha (h, w, 4), and the slope (h, w, 2) that carving gives the face."""
    small = cv2.resize(face, (360, 504), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    alpha = small[..., 3]
    paint = np.concatenate([small[..., 2::-1] ** 2.2, alpha[..., None]], 2)
    depth = cv2.GaussianBlur(alpha, (0, 0), 2.2)
    slope = np.stack([cv2.Sobel(depth, cv2.CV_32F, 1, 0), cv2.Sobel(depth, cv2.CV_32F, 0, 1)], 2)
    return paint.astype(np.float32), slope.astype(np.float32)


def _sample(picture: NDArray[np.float32], points: Floats) -> Floats:
    """Bilinear samples of a picture laid over a tile's top: (n, channels)."""
    h, w = picture.shape[:2]
    # The art has its own white margin: it is laid over the whole top.
    u = (points[:, 0] / (2 * HALF_SIZES[0]) + 0.5) * w
    v = (0.5 - points[:, 1] / (2 * HALF_SIZES[1])) * h
    return bilinear(picture, u, v)


@dataclass(frozen=True)
class _Buffers:
    """What each pixel (h, w) shows: its distance from the eye, the point there and its normal, the colour of the
    surface, its polish, and the block's place in the scene (-1 for the table)."""

    depth: Floats
    point: Floats
    normal: Floats
    albedo: Floats
    gloss: Floats
    owner: NDArray[np.int32]


def render(scene: Scene) -> NDArray[np.float32]:
    """The picture (h, w, 3) in linear RGB."""
    return trace(scene)[0]


def trace(scene: Scene) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """The picture (h, w, 3) in linear RGB, and which block each pixel shows (h, w): its place in the scene, -1 for the
    table."""
    camera, (w, h) = scene.camera, scene.camera.size
    eye, axes = camera.axes()
    ys, xs = np.mgrid[0:h, 0:w].astype(np.float32)
    rays = np.stack([(xs + 0.5 - w / 2) / camera.focal, (ys + 0.5 - h / 2) / camera.focal, np.ones_like(xs)], 2) @ axes
    rays /= np.linalg.norm(rays, axis=2, keepdims=True)
    depth = -eye[2] / np.minimum(rays[..., 2], -1e-3)
    point = eye + rays * depth[..., None]
    normal = np.zeros_like(point)
    normal[..., 2] = 1
    albedo = scene.table(point[..., :2].reshape(-1, 2)).reshape(h, w, 3).astype(np.float32)
    gloss = np.zeros((h, w), np.float32)
    owner = np.full((h, w), -1, np.int32)
    buffers = _Buffers(depth, point, normal, albedo, gloss, owner)
    for number in range(len(scene.blocks)):
        _draw(scene, number, eye, rays, buffers)
    lit, open_ = _shade_light(scene, point, normal, owner)
    key = np.array(scene.light.key, np.float32)
    fill = np.array(scene.light.fill, np.float32)
    to_light = np.array(scene.light.direction, np.float32)
    to_light /= np.linalg.norm(to_light)
    diffuse = np.clip(normal @ to_light, 0, 1) * lit
    sky = (0.62 + 0.38 * normal[..., 2]) * open_
    colour = albedo * (diffuse[..., None] * key * 0.85 + sky[..., None] * fill)
    mirrored = rays - 2 * (rays * normal).sum(2, keepdims=True) * normal
    facing = np.clip(-(rays * normal).sum(2), 0, 1)
    fresnel = 0.04 + 0.6 * (1 - facing) ** 5
    spot = np.clip(mirrored @ to_light, 0, 1)
    # A window in the room, mirrored in the tiles' polish.
    window = _pane(mirrored, (-0.10, 0.42), 0.30) + _pane(mirrored, (0.55, 0.30), 0.22)
    shine = (spot**60) * 1.6 * lit + 0.25 * np.clip(mirrored[..., 2], 0, 1) * open_ + 0.9 * window
    picture: Floats = colour + (gloss * fresnel * shine)[..., None] * key * 1.5
    return picture, owner


def _pane(directions: Floats, middle: tuple[float, float], half: float) -> Floats:
    """1 for directions that meet a soft-edged square pane overhead, centred at ``middle`` x, y of direction / z."""
    up = np.maximum(directions[..., 2:], 0.05)
    off = np.abs(directions[..., :2] / up - np.array(middle, np.float32)).max(axis=-1)
    result: Floats = np.clip((half - off) / 0.08 + 0.5, 0, 1) * (directions[..., 2] > 0.05)
    return result


def _draw(scene: Scene, number: int, eye: Floats, rays: Floats, buffers: _Buffers) -> None:
    """Trace one tile into the buffers."""
    block = scene.blocks[number]
    x1, y1, x2, y2 = _region(scene.camera, block, 1.0, 1.0)
    if x2 <= x1 or y2 <= y1:
        return
    part = (slice(y1, y2), slice(x1, x2))
    shape = rays[part].shape[:2]
    direction = _turn(block, rays[part].reshape(-1, 3))
    start = _local(block, np.broadcast_to(eye, direction.shape).astype(np.float32))
    travel = np.maximum(np.linalg.norm(start[0]) - np.linalg.norm(block.sides) - 4, 0) * np.ones(len(start), np.float32)
    gap = np.zeros_like(travel)
    for _ in range(28):
        gap = _distance(start + direction * travel[:, None], block.sides)
        travel = travel + np.clip(gap, -1, 30)
    hit = (gap < 0.06) & (travel < buffers.depth[part].reshape(-1))
    if not hit.any():
        return
    at = (start + direction * travel[:, None])[hit]
    n = _normal(at, block.sides)
    split = -HALF_SIZES[2] + 2 * HALF_SIZES[2] * BACK_SHARE
    height = at[:, 2] if block.face is not None else -at[:, 2]
    white = 1 / (1 + np.exp(-(height - split) * 6))[:, None]
    # each tile is cut from another piece of the bamboo
    back = scene.back(at[:, :2] + 37 * number) if callable(scene.back) else np.array(scene.back, np.float32)
    paint = white * np.array(scene.ivory, np.float32) + (1 - white) * back
    if block.colour is not None:
        paint = np.broadcast_to(np.array(block.colour, np.float32), at.shape).copy()
    if block.face is not None:
        art, slope = _engraving(block.face)
        top = at[:, 2] > HALF_SIZES[2] - 0.5
        colour = _sample(art, at)
        share = colour[:, 3:] * top[:, None]
        ink = colour[:, :3] / np.maximum(colour[:, 3:], 1e-3)
        paint = paint * (1 - share) + np.clip(ink, 0, 1) * 0.92 * share
        bump = _sample(slope, at) * top[:, None] * 0.55
        n[:, 0] -= bump[:, 0]
        n[:, 1] += bump[:, 1]
        n /= np.linalg.norm(n, axis=1, keepdims=True)
    flat = np.zeros(shape, bool).reshape(-1)
    flat[hit] = True
    mask = flat.reshape(shape)
    buffers.depth[part][mask] = travel[hit]
    buffers.point[part][mask] = (eye + rays[part].reshape(-1, 3) * travel[:, None])[hit]
    buffers.normal[part][mask] = _turn(block, n, back=True)
    buffers.albedo[part][mask] = paint
    buffers.gloss[part][mask] = 1.0
    buffers.owner[part][mask] = number


def _shade_light(scene: Scene, point: Floats, normal: Floats, owner: NDArray[np.int32]) -> tuple[Floats, Floats]:
    """How much of the lamp (soft shadows) and of the sky (contact darkness) each pixel sees, 0 to 1."""
    h, w = owner.shape
    lit = np.ones((h, w), np.float32)
    open_ = np.ones((h, w), np.float32)
    to_light = np.array(scene.light.direction, np.float32)
    to_light /= np.linalg.norm(to_light)
    sharp = 1 / scene.light.soft
    for number, block in enumerate(scene.blocks):
        x1, y1, x2, y2 = _region(scene.camera, block, 40.0, 0.0)
        if x2 <= x1 or y2 <= y1:
            continue
        part = (slice(y1, y2), slice(x1, x2))
        points = (point[part] + normal[part] * 0.15).reshape(-1, 3)
        local = _local(block, points)
        own = (owner[part] == number).reshape(-1)
        shade = np.ones(len(points), np.float32)
        away = _turn(block, np.broadcast_to(to_light, points.shape).astype(np.float32))
        travel = np.full(len(points), 0.4, np.float32)
        for _ in range(16):
            gap = _distance(local + away * travel[:, None], block.sides)
            shade = np.minimum(shade, np.clip(0.5 + 0.5 * sharp * gap / travel, 0, 1))
            travel = travel + np.clip(gap, 0.6, 12)
        shade = shade * shade * (3 - 2 * shade)
        shade[own] = 1
        near = np.exp(-np.maximum(_distance(local, block.sides), 0) / 4.5) * 0.42
        near[own] = 0
        lit[part] -= 1 - shade.reshape(lit[part].shape)  # two tiles side by side each hide a part of the lamp
        open_[part] *= 1 - near.reshape(open_[part].shape)
    low = np.clip(point[..., 2] / 6, 0, 1)
    open_ = np.where((owner >= 0) & (normal[..., 2] < 0.5), open_ * (0.45 + 0.55 * low), open_)
    return np.clip(lit, 0, 1), open_.astype(np.float32)
