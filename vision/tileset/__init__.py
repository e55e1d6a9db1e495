"""牌組: what the tiles of one table look like, told by photos of them, and used beside the networks."""
