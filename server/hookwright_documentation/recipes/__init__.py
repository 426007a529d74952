"""Ready recipes: how to set up the documentation of technologies that agents search for most."""
