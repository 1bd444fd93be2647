"""What all tests share: compiled kernels are kept between runs, and nothing is measured by the clock."""

import os
from pathlib import Path

from hypothesis import settings

os.environ.setdefault("ZERMELO_CACHE_DIR", str(Path(__file__).parent.parent / ".pytest_cache" / "kernels"))

settings.register_profile("zermelo", deadline=None)
settings.load_profile("zermelo")
