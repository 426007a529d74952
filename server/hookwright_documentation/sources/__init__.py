"""What documentation is taken from, besides a site and a folder of pages."""
