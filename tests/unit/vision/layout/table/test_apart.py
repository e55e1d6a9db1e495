"""A photo of one hand is read without the code of the whole table, so that code can change neither reading nor time."""

from __future__ import annotations

import subprocess
import sys

LOADED = "import sys; print([name for name in sys.modules if name.startswith('vision.layout')])"


def test_reading_a_hand_loads_nothing_of_the_whole_table() -> None:
    program = f"import vision.reading.pipeline, vision.reading.reading, vision.multiview; {LOADED}"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert "'vision.layout.grouping'" in loaded
    assert "vision.layout.table" not in loaded
