"""牌組: the look of one table's tiles, learned from photos and used together with the networks."""
