"""The instructors' package: it takes a submitted notebook and decides its marks."""
