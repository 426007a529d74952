"""The web page, which manages lessons and shows the results for a prompt."""
