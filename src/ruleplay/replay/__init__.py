"""Replay memories: a way to store times a way to sample, one file per way."""
