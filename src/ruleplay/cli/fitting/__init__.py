"""What `ruleplay fit` reads, does and shows."""
