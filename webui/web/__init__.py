"""Plumbing that every page uses: services, security, errors, uploads."""
