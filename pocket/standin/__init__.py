"""Packages in the place of libraries that a phone does not have; the worker finds them under their own names."""
