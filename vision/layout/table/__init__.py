"""全桌: what lies where on a whole table, whose it is, and how many of each tile are seen."""
