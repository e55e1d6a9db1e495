"""拍台 on the command line: read a photo, score a hand, serve the page."""

from paitai.commands import __version__, main

__all__ = ["__version__", "main"]
