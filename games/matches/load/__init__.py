"""People made of code, who play at a running site over real sockets: what `manage.py loadtest` is made of."""
