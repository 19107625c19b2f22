"""What a rule predicts, and how it learns to: one file per kind of model."""
