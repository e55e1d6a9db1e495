"""Rule books: reading and checking TOML books, their values, and how they are shown."""
