"""The paper's literal readings, one at a time."""
