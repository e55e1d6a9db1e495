"""The surroundings of a collage's tiles: grounds, clutter, lettering."""
