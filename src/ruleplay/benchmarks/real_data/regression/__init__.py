"""What is different where quantities are predicted: the sets, the figures, our contenders."""
