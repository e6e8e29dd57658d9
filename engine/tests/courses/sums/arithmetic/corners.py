# corners
