"""Measures of finished sessions."""
