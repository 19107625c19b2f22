"""Where runs are kept: the store, its index, curves, exports."""
