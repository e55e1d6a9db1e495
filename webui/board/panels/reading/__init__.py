"""Panels about what was read: the photo, its names, doubts and questions."""
