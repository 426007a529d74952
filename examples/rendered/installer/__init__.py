"""Install the hooks of this project, and uninstall them."""
