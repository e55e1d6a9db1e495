"""牌譜: a game log on the page: its table after each event, and the won hand as a board."""
