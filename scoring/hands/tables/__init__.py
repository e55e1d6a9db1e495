"""表: lookup tables of suits, and the names of traits."""
