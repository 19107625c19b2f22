"""What `ruleplay fit` does if the target is a quantity."""
