"""Records: what is kept of a settled hand, and how it is shown."""
