"""Quality of a data set: health findings, comparison, the queue of what to label next."""
