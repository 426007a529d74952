"""Crawl, cut, index, search and serve documentation."""

import os

# Set before numpy is imported: with several threads, a search takes four times as long as with one,
# and concurrent searches wait for each other on a busy machine.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
