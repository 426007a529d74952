"""Crawl, cut, index, search and serve documentation."""

import os

# Set before numpy is imported: with several threads, a search takes four times as long as with one,
# and on a busy machine concurrent searches wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
