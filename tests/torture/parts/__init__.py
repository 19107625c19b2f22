"""One module per part; `torture.part` says what each must have."""
