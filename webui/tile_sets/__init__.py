"""自己的牌: the tile sets of the page: which one a table plays with, and what it learns from corrected hands."""
