"""Seams and components: what can be decided in several ways, and the ways."""
