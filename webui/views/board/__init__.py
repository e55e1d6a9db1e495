"""The board: its page, the panels on it, and what its buttons send."""
