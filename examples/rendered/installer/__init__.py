"""Install or uninstall the hooks of this project."""
