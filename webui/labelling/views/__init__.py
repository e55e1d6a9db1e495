"""Views of the labelling workbench."""
