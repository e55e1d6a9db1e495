"""出牌建議: how far a hand is from winning, which tiles bring it on, and what each discard leaves."""
