"""Records: the entry of a settled hand, and how a page shows it."""
