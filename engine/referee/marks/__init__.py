"""Store and export results: gradebook, autograded notebooks, records, log, tables, feedback."""
