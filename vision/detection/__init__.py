"""Detection: finding tiles, naming each crop, and choosing which detections to keep."""
