"""The command line, `genius-py`."""
