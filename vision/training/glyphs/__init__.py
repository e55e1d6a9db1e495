"""Training of the network that finds the characters of flowers, 春夏秋冬梅蘭竹菊, anywhere on a tile's crop."""
