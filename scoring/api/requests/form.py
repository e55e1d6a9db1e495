"""請求的寫法: the keys of a request, the required ones, and its limits."""

REQUIRED = ("rules", "concealed", "win", "seat", "round", "dealer")
KEYS = frozenset(
    {
        *REQUIRED,
        *("overrides", "melds", "flowers", "winning_tile", "streak", "discarder", "events", "robbed_flower"),
        *("base", "per_tai", "explain", "responsible", "shown_streak", "players", "win_dice"),
    }
)
MOST_POINTS = 1_000_000_000
MOST_STREAK = 1000
MOST_DICE = 18
"""Three dice."""
MOST_LISTED = 50
"""Melds, or events."""
MOST_OVERRIDES = 500
LONGEST_TEXT = 2000
"""Characters of one text of tiles."""
