"""Bundled domains, one folder a game, data only."""
