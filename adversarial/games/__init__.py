"""Games that record the calls of a search, and games that are sent into its process."""
