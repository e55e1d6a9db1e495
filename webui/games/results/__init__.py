"""Results of a game: the end of the evening, its curve, its export."""
