"""Pairings: who the paired phones are, and how long their cookies hold."""
