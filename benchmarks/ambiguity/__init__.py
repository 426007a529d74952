"""Fit the evidence that distinguishes a technology from an ordinary word of the same name."""
