"""Projects, servers, fakes and values that tests share."""
