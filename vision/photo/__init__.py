"""Photos: loading, orientation, limits, and the sample photo."""
