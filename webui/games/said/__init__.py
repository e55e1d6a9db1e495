"""說一句: one sentence about how a hand ended, to the fields of the table's form. No HTTP, and nothing is kept."""
