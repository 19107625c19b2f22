"""Make rules few: short lists, greedy selections, boxes."""
