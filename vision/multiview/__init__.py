"""Several views of one hand: alignment, merging, tracking in a live picture."""
