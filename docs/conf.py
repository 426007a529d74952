"""Sphinx's configuration for build_site.py."""

project = html_title = "Hookwright"
extensions = ["myst_parser"]
html_theme = "furo"
html_copy_source = False
html_show_copyright = html_show_sphinx = False
html_use_index = False
highlight_language = "none"  # for a block without a language
myst_enable_extensions = ["html_image"]
myst_heading_anchors = 6  # as on code hosts
# The build checks links, not style.
suppress_warnings = ["misc.highlighting_failure", "myst.header"]
