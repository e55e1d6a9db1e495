"""Training on a graphics card: photos and crops lie in its memory, and are changed there too."""
