"""Find the lessons and skills relevant to a prompt."""

import os

# Must be set before numpy is imported. A single prompt is too little work for several threads,
# which would wait for each other for 15 ms on a busy machine.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
