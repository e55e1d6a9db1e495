"""``python paitai.py``: the command out of a checkout that is not installed. What it starts is the package `paitai`."""

from runpy import run_module

if __name__ == "__main__":
    run_module("paitai", run_name="__main__")
