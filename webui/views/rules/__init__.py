"""Rule books on the page: a house's own, and where clauses come from."""
