"""Formats that are plain text: one line per box or photo."""
