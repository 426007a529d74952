"""Rank lessons: BM25, vectors, their fusion and its calibration."""
