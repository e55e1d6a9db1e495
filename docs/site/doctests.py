"""Extension of the library reference (mkdocs.yml): a doctest in a docstring becomes an example."""

from __future__ import annotations

import re
import textwrap
from typing import Any

from griffe import Docstring, Extension


class Doctests(Extension):
    """Puts the heading that Google style asks for before a doctest."""

    def on_instance(self, *, obj: Any, **_: Any) -> None:
        docstring: Docstring | None = obj.docstring
        if docstring is None or "\nExamples:" in docstring.value:
            return
        parts = re.split(r"\n(?=>>> )", docstring.value, maxsplit=1)
        if len(parts) == 2:
            docstring.value = f"{parts[0]}\n\nExamples:\n{textwrap.indent(parts[1], '    ')}"
