"""What leaves the program: files written whole or not at all, text that does no harm."""
