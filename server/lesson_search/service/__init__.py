"""The lesson service: ingest, edit and search, without HTTP."""
