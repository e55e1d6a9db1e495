"""What training and the shipped manifest must agree on."""

PAD = 0.08
"""How much the reader's window reaches over the box on each side, in units of its longer side."""
