"""Detection: where tiles are, which tile each crop shows, and which detections to keep."""
