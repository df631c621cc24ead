"""Negotiation parties, one family a file."""
