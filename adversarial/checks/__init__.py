"""What hidden checks ask with: positions, trees, expectations and fixtures, a file a subject."""
