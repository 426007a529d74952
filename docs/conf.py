"""What Sphinx builds the site of these pages with, for build_site.py."""

project = html_title = "Hookwright"
extensions = ["myst_parser"]
html_theme = "furo"
html_copy_source = False
html_show_copyright = html_show_sphinx = False
html_use_index = False
highlight_language = "none"  # of a block that names none
myst_enable_extensions = ["html_image"]
myst_heading_anchors = 6  # as a forge has them
# How a page looks is for its writer to see; what leads nowhere is for the build to find.
suppress_warnings = ["misc.highlighting_failure", "myst.header"]
