"""玩家: who played, over many evenings: figures of a month, a season, a pair."""
