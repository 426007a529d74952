"""The sources of documentation besides sites and folders."""
