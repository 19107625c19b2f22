"""A study of the user's own: a file that says what is run, and a page that compares its cells."""
