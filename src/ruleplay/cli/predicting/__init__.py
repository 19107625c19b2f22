"""What `ruleplay predict` does."""
