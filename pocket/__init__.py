"""口袋版: the edition that runs on a phone alone, without a server or a network (docs/pocket.md)."""
