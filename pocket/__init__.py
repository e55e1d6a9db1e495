"""口袋版: the edition that a phone runs by itself, with no server and no network (docs/pocket.md)."""
