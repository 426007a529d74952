"""Install the hooks of this project, and take them out again."""
