"""What a game must be: the Rules protocol, its value types, the registry and the record format. Pure: no Django."""
