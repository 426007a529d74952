"""How large what is shared may be, for whoever writes an archive and whoever reads one."""

MAX_ARCHIVE = 100_000_000  # bytes
MAX_UNPACKED = 400_000_000  # bytes
MAX_RATIO = 200  # unpacked bytes for each of the archive; markdown has 10
MAX_MANIFEST = 8_000_000  # bytes
MAX_PAGES = 20_000
MAX_PAGE = 20_000_000  # bytes, as the cutter's
MAX_LICENSE = 500_000  # bytes of a licence's text
MAX_TEXT = 4_000  # characters of a text in the manifest
MAX_KEYWORDS = 10  # each of which denies searches
MAX_CRAWL = 100_000  # pages that a recipe may ask for
MAX_KEYWORD = 200  # characters, as the schema's
