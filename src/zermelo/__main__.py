"""`python -m zermelo` is the command."""

from zermelo.cli import main

if __name__ == "__main__":
    main()
