"""Find candidates for lessons in the transcripts of past sessions, and keep them in an inbox."""
