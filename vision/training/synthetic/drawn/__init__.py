"""Parts of tile faces that are drawn by chance, so that no two sets are alike."""
