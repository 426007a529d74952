"""Search texts by words and by vectors."""
