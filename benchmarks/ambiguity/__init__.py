"""Fit the evidence that tells a technology from an ordinary word of the same name."""
