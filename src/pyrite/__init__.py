"""Pyrite: hard, trustworthy retrieval data, and the measurement of systems on them."""
