"""Crawl, cut, index, search and serve documentation."""

import os

# Set before numpy is imported: several threads would take four times the time of one for a search,
# and would wait for each other on a busy machine.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
