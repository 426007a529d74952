"""How large what is shared may be, for whoever writes an archive and whoever reads one."""

MAX_ARCHIVE = 100_000_000  # bytes
MAX_UNPACKED = 400_000_000  # bytes
MAX_RATIO = 200  # unpacked bytes for each of the archive; markdown has 10
MAX_MANIFEST = 8_000_000  # bytes
MAX_PAGES = 20_000
MAX_PAGE = 5_000_000  # bytes; the whole Rust reference in one page has 1.5 million
MAX_LINES = 100_000  # of a page, for a parser takes up to 0.1 ms for each; that page has 31,000
MAX_LICENSE = 500_000  # bytes of a licence's text
MAX_TEXT = 4_000  # characters of a text in the manifest
MAX_KEYWORDS = 10  # each of which denies searches
MAX_LISTED = 100  # domains, or addresses to leave out
MAX_CRAWL = 100_000  # pages that a recipe may ask for
MAX_KEYWORD = 200  # characters, as the schema's
