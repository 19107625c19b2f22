"""Boolean functions to learn: strings of random bits, and one answer to each."""
