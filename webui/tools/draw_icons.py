"""圖示: draws the PNG icons of the home screen. ``python -m webui.tools.draw_icons`` writes them.

The same picture as ``icon.svg``, on its 64 units: a 中 tile and a camera's lens on green. ``any`` has round corners,
``maskable`` fills the square and keeps the picture in the middle that every phone's mask leaves, ``apple`` has no
transparency.
"""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageDraw

ICONS_DIR = Path(__file__).parents[1] / "static" / "icons"
GREEN, SHADE, FACE, RED, GOLD = "#0f5c4c", "#d9cfb4", "#fffdf4", "#b5221b", "#e9b949"
ICONS = {"any-192": 192, "any-512": 512, "maskable-192": 192, "maskable-512": 512, "apple-180": 180}
FINER = 4  # drawn this many times larger, then shrunk, for smooth edges
SAFE = {"any": 1.0, "maskable": 0.78, "apple": 0.92}


def icon(kind: str, side: int) -> Image.Image:
    """One icon of `side` × `side` pixels."""
    large = side * FINER
    picture = Image.new("RGBA", (large, large), (0, 0, 0, 0) if kind == "any" else GREEN)
    draw = ImageDraw.Draw(picture)
    scale = large / 64 * SAFE[kind]
    edge = (large - 64 * scale) / 2

    def at(*corners: float) -> list[float]:
        return [edge + corner * scale for corner in corners]

    if kind == "any":
        draw.rounded_rectangle(at(0, 0, 64, 64), 14 * scale, GREEN)
    draw.rounded_rectangle(at(17, 9, 47, 51), 5 * scale, SHADE)
    draw.rounded_rectangle(at(17, 9, 47, 47), 5 * scale, FACE)
    draw.rectangle(at(22, 20, 42, 34), RED)
    for x in (25.5, 34):
        draw.rectangle(at(x, 23.5, x + 4.5, 30.5), FACE)
    draw.rectangle(at(30, 14, 34, 43), RED)
    draw.ellipse(at(39, 39, 61, 61), GOLD)
    draw.ellipse(at(45, 45, 55, 55), GREEN)
    small = picture.resize((side, side), Image.Resampling.LANCZOS)
    return small if kind == "any" else small.convert("RGB")


def main() -> None:
    """Write every icon."""
    ICONS_DIR.mkdir(exist_ok=True)
    for name, side in ICONS.items():
        icon(name.partition("-")[0], side).save(ICONS_DIR / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
