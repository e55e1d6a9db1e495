"""Before anything is taken in: the files of an import, the labels in them, and the photos that they mean."""
