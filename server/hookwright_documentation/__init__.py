"""Crawl, cut, index, search and serve documentation."""

import os

# Set before numpy is imported: a search on several threads takes four times as long as on one, and
# searches wait for each other on a busy machine.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
