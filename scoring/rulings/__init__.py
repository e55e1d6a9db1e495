"""裁決: what a book rules when something goes wrong, who comes first, and where people sit (docs/rulings.md).

``answer`` is ``paitai ruling``, ``seats`` is ``paitai seats``; both take one JSON request and never raise on bad input.
"""
