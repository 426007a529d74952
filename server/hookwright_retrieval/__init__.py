"""Search texts by words and vectors."""
