"""The protocols that clients ask their models in, and how a fake model answers in each."""
