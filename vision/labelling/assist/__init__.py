"""What the model does for the one who labels: labels to check, the box of a tile, a clip's next frame."""
