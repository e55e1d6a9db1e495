"""The past of a dataset, and the way back: earlier revisions, operations on many photos, the wastebasket."""
