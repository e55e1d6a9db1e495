"""The tally: which patterns count, exclusions, and the interpretation worth most."""
