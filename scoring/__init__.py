"""PaiTai scoring: Taiwanese 16-tile mahjong, its rule books, tallies and payments."""
