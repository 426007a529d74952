"""Find the lessons that matter to a prompt."""

import os

# Before numpy is imported: one prompt is too little work for several threads, which wait for each
# other for 15 ms whenever the machine is busy.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
