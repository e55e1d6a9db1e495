"""What only phones ask for: pairing, the live picture, the installable app."""
