"""Build and register indexes of LEANN, a separate program that the user installs."""

STEM = "documents.leann"
META, PASSAGES, OFFSETS = f"{STEM}.meta.json", f"{STEM}.passages.jsonl", f"{STEM}.passages.idx"
IDS, VECTORS = "documents.ids.txt", "documents.index"
LINK = "leann"  # in the folder of a database: a link to the current generation's index
