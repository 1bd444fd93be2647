"""`python -m zermelo` is the command."""

import sys

from zermelo.cli import main

if __name__ == "__main__":
    sys.exit(main())
