"""牌形: the shapes that win, each declared once, with their divisions and missing tiles."""
