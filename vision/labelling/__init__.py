"""標記: labelled photos. The dataset on disk, its formats, splits, versions, health, card, and what to label next.

``labels`` are the values, ``store`` keeps them, everything else works on those two. Nothing in here knows of a page.
"""
