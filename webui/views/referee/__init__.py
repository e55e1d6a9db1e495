"""出事了: the pages of the referee: incidents, whose tile it is, seats and dice, the wall."""
