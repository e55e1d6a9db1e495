"""What was done to a dataset, and the way back: earlier revisions, operations on many photos, the wastebasket."""
