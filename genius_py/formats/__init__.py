"""Reading and writing of domains and profiles, one file format a module."""
