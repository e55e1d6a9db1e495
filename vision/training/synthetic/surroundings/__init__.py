"""What lies under and beside the tiles of a collage: grounds, clutter, lettering."""
