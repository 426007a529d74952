"""The web page: manages lessons, and shows the results for a prompt."""
