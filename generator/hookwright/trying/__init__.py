"""Try what a project's hooks make of calls, as the client would run them."""
