"""Formats that are CSV files: one row per box."""
