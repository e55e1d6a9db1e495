"""請求: a score request as values, with every problem of one that cannot be."""
