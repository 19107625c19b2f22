"""Figures, tables and pages from finished runs; nothing here runs anything."""
