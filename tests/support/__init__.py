"""What tests share: projects, servers, fakes and values to try."""
