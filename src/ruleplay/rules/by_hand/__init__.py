"""Rules that people write, in their own units, before any model has learned."""
