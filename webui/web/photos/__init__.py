"""照片: photos that are not recorded yet, and the memory of their readings."""
