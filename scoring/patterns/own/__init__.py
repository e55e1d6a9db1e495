"""自訂牌型: a table's own patterns as data: the words that they are made of, their conditions, and what they become."""
