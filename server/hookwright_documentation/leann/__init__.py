"""Build and register indexes of LEANN, a program of its own that the user installs."""

STEM = "documents.leann"
META, PASSAGES, OFFSETS = f"{STEM}.meta.json", f"{STEM}.passages.jsonl", f"{STEM}.passages.idx"
IDS, VECTORS = "documents.ids.txt", "documents.index"
LINK = "leann"  # in the folder of a database: leads to the index of the current generation
