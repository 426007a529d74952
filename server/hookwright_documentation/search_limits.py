"""What a search may ask for. It imports nothing: the command line needs it at each start."""

MAX_QUERY = 1_000  # characters; a longer one is refused, or cut where it is ranked
TOP_K, MAX_TOP_K = 5, 20  # passages: unless it says how many, and at most
