"""Games that record what a search does, and games that are sent to where it runs."""
