"""`python -m genius_py` is the command `genius-py`."""

from genius_py.cli import main

if __name__ == "__main__":
    main()
