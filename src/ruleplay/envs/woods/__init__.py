"""Mazes to find food in, seen from within: only the eight neighbouring cells are known."""
