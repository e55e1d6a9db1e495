"""From trained networks to a shipped model folder."""
