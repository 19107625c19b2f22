"""What `ruleplay run` does."""
