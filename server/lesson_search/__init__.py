"""Find the lessons and skills relevant to a prompt."""

import os

# Set before numpy is imported: one prompt is too little work for several threads, which would wait
# for each other for 15 ms on a busy machine.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
