"""The `paitai dataset` and `paitai models` commands."""
