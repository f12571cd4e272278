"""What all games share: tables, seats, moves, history, and the live updates of a running match."""
