"""Negotiation protocols, one a file."""
