"""Build and register indexes with LEANN, a separate program installed by the user."""

STEM = "documents.leann"
META, PASSAGES, OFFSETS = f"{STEM}.meta.json", f"{STEM}.passages.jsonl", f"{STEM}.passages.idx"
IDS, VECTORS = "documents.ids.txt", "documents.index"
LINK = "leann"  # in a database's folder: a link to the current generation's index
