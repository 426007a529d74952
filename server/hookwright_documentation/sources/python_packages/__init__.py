"""Take the API of installed Python packages from their sources; nothing is imported."""
