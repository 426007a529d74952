"""Projects, servers, fakes and values that several tests use."""
