"""`python -m zermelo.cli`, for systems where the command is not on the path."""

import sys

from zermelo.cli import main

sys.exit(main())
