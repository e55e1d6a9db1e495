"""拍台 on the command line: read a photo, score a hand, serve the page.

Python compiles the file that it starts anew each time, so this one only calls what is kept compiled.
"""

import os
import sys

from paitai_commands import __version__, main

__all__ = ["__version__", "main"]

if __name__ == "__main__":
    if sys.argv[1:2] == ["score"]:
        os._exit(main())  # all is written: what many hands left in memory need not be put away piece by piece
    sys.exit(main())
