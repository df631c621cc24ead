"""Adapters to agent frameworks, each of which is imported only when it is used."""
