"""What `ruleplay watch` serves."""
