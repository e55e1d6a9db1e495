"""自訂名稱: a label set may have names of its own, beside the 43 tiles or in their place."""
