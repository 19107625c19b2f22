"""What `ruleplay play` shows."""
