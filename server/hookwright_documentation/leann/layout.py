"""The names of files of a LEANN index, and of the link by which LEANN finds it."""

STEM = "documents.leann"
META, PASSAGES, OFFSETS = f"{STEM}.meta.json", f"{STEM}.passages.jsonl", f"{STEM}.passages.idx"
IDS, VECTORS = "documents.ids.txt", "documents.index"
LINK = "leann"  # in the folder of a database: leads to the index of the current generation
