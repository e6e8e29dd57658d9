"""Enter what was decided: gradebook, autograded notebooks, records, log, exports."""
