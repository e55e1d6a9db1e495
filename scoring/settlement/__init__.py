"""Settlement: who pays whom, liability, chips, and the running session."""
