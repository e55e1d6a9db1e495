"""Formats that are one JSON object per line."""
