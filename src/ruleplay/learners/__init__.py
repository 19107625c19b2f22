"""Learners at home elsewhere: one folder per library that they feel native in."""
