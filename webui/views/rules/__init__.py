"""Rule books on the page: a house's own, and the sources of clauses."""
