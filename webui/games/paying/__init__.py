"""Payments at the running table: of a win, of a further winner, of a false win, and after a correction."""
