"""表: what is looked up of tiles and suits, and the names of what a hand has."""
