"""Training data: the dataset in YOLO layout, label corrections, crops."""
