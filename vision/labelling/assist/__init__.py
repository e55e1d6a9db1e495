"""Model assistance while a person labels: proposed labels, the box of a tile, the next frame of a clip."""
