"""Beyond the paper: one recipe for long action chains, and what each part of it does."""
