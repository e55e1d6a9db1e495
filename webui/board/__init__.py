"""The board: the hand being corrected, its state, corrections and scoring."""
