"""The running table and the evening's end."""
