"""The paper's evaluation: what it printed, what is run, and how the two compare."""
