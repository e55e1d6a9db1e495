"""The networks and their training: detector, classifier, and what they need of torch."""
