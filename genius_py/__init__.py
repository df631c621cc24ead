"""Simulate automated negotiation: protocols, parties, domains, tournaments."""

__version__ = "0.1.0"
