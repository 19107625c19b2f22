"""Presets and run specifications: what the paper's experiments are made of."""
