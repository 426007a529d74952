"""Find lesson candidates in transcripts of past sessions, and keep them in an inbox."""
