"""Formats that are JSON files."""
