"""Conditions on symbols: bits that may not matter, and sets of categories beside intervals."""
