"""What `ruleplay compare` does, by what is compared: on real data, or on control problems."""
