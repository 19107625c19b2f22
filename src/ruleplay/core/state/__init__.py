"""What an agent is made of: described arrays and records."""
