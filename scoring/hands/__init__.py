"""Hands: notation, the hand and its contradictions, decomposition into sets, shanten, waits."""
