"""Panels about the reading: the photo, its names, warnings and questions."""
