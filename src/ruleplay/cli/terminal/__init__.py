"""What all commands write: outcomes, tables, progress."""
