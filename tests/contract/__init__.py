"""What every game must keep, and the record format: run over all registered games and over the toy game."""
