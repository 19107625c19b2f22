"""What `ruleplay rules` shows of a model."""
