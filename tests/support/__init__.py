"""Projects, servers, fakes and values shared by the tests."""
