"""``python -m paitai``: the command without its script."""

import os
import sys

from paitai import main

if __name__ == "__main__":
    if sys.argv[1:2] == ["score"]:
        os._exit(main())  # all is written: what many hands left in memory need not be put away piece by piece
    sys.exit(main())
