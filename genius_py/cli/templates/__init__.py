"""What `genius-py new` writes: working files, in which only the names are changed."""
