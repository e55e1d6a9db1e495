"""Layout: rows and blocks of tiles, melds, and which tiles belong to the hand."""
