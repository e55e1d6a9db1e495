"""標記: labelled photos. The dataset on disk, its formats, splits, versions, health, card, and labelling queue.

``labels`` defines the values and ``store`` keeps them; all other modules work on these two. No module here knows a
page."""
