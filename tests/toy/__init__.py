"""Auction, a toy game that keeps the whole contract in real time; only tests play it.

Each round a prize lies face down, worth its number. While the round is open every seat may bid one card of its hidden
hand, once. Bids stay secret until the round closes, when WINDOW is over, or HOLD after the last seat has bid; then the
prize is turned up, and the highest bid takes it (equal ones cannot be). A claim made earlier over a slower line still
counts: what matters is when it was made, so bids arriving up to HOLD after the window are good if they were made in it.
"""
