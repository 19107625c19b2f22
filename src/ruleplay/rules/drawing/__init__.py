"""Draw rules: maps, pictures, colours."""
