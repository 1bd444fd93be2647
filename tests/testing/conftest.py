import pytest

from zermelo.testing import compiled


@pytest.fixture(autouse=True)
def _interpreted(request, monkeypatch):
    """Only the tests that are about the compiler wait for it."""
    if "compiler" not in request.keywords:
        monkeypatch.setattr(compiled, "is_enabled", lambda: False)
