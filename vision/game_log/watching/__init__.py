"""看牌局: a game log from the readings of frames of one hand, taken by a camera that stands still."""
