"""裁決: rulings when something goes wrong, the order of claims, and the seating (docs/rulings.md).

``answer`` is ``paitai ruling`` and ``seats`` is ``paitai seats``. Both take one JSON request and never raise on bad
input.
"""
