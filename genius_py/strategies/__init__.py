"""Concession, acceptance and bidding rules as pure functions on arrays."""
