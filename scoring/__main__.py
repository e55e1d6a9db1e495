"""``python -m scoring``: the commands of the rules."""

import sys

from scoring.commands import main

if __name__ == "__main__":
    sys.exit(main())
