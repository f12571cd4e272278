"""The production shape: the proxy's configuration, units for systemd, and all of it on one machine's loopback."""
