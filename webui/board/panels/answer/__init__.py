"""Panels about the answer: tally, payments, waits, other books, switches."""
