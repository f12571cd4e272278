"""What is done at the desk, a module a theme: each writes the log, tells the person, and takes effect at once."""
