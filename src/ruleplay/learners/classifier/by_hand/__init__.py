"""Rules that people give to a classifier: to start from, to keep, or never to have."""
