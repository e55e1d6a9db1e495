"""Serving on the local network: addresses, TLS, the server."""
