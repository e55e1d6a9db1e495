"""Pages of tiles: the sets on the table, and what to discard."""
