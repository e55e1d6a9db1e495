"""Synthetic photos: rendered, ray-traced and composited tiles on tables."""
