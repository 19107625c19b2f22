"""Learners at home elsewhere: one module per library that they feel native in."""
