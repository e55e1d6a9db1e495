"""Evaluation of a model on a labelled set."""
