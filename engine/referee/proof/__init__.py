"""Put the checks themselves to the test: the bank, its audit, and judging again."""
