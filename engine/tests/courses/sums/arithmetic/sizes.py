large = 99
