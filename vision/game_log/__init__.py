"""牌譜: the log of one hand: who discarded and called what, in order, with everything that is not known marked."""
