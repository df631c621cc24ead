"""Tournaments: planned as values, played anywhere, kept in one file, ranked with intervals."""
