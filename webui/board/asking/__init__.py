"""問清楚: the open points of a board, and the questions that a person answers before the page shows a number."""
