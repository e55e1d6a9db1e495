"""The whole data folder: verified, saved, restored."""
