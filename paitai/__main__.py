"""``python -m paitai``: the command without its script."""

import os
import sys
from typing import NoReturn

from paitai import main


def run() -> NoReturn:
    """Run the command and end the process with its exit status."""
    if sys.argv[1:2] == ["score"]:
        os._exit(main())  # all is written: what many hands left in memory need not be put away piece by piece
    sys.exit(main())


if __name__ == "__main__":
    run()
