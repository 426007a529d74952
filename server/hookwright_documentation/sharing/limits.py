"""How large what is shared may be, for whoever writes an archive and whoever reads one."""

MAX_ARCHIVE = 100_000_000  # bytes
MAX_UNPACKED = 400_000_000  # bytes
MAX_RATIO = 200  # unpacked bytes for each of the archive; markdown has 10
MAX_MANIFEST = 8_000_000  # bytes
MAX_PAGES = 20_000
MAX_PAGE = 5_000_000  # bytes; the whole Rust reference in one page has 1.5 million
MAX_LINES = 100_000  # of a page; that page has 31,000
MAX_DEFINITIONS = 1_000  # of links in a page; the cutter writes none, but code may look so
MAX_NESTING = 20  # lists and quotations in each other that the parser enters
# Lines of an archive for the parser, and marks of lists and quotations before them: each takes up
# to 0.05 ms. Only pages with code in lists, or what may define links, are for the parser: 26,000
# lines of 114,000 of Jinja, Click and numpy's API.
MAX_PARSED = 1_000_000
MAX_LICENSE = 500_000  # bytes of a licence's text
MAX_TEXT = 4_000  # characters of a text in the manifest
MAX_KEYWORDS = 10  # each of which denies searches
MAX_LISTED = 100  # domains, or addresses to leave out
MAX_CRAWL = 100_000  # pages that a recipe may ask for
MAX_KEYWORD = 200  # characters, as the schema's
