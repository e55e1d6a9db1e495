"""What a game comes to: the evening's end, its curve, its export."""
