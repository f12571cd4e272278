"""How the bots of Block Buster think: `bot.py` beside this folder is the door to them."""
