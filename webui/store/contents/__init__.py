"""Contents of entries: which keys and values each kind has."""
