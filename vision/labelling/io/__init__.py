"""Import and export of labelled photos, their sources and names."""
