"""What photos bring to the board: readings, further photos of the hand, places on a photo."""
