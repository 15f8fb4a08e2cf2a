workers 2
