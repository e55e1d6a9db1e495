"""``python paitai.py``: the command out of a checkout that is not installed. What it starts is the package `paitai`."""

from paitai.__main__ import run

if __name__ == "__main__":
    run()
