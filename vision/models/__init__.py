"""Models: the manifest with checksums, and the registry of promoted models."""
