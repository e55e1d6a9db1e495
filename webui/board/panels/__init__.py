"""Panels of the board page: tally, payments, comparison, what-if, warnings."""
