"""The course on adversarial search, on the referee's side: oracles, traces, explanations."""
