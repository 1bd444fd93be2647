"""The game that the command line named, in a real browser."""

import pytest
from playwright.sync_api import expect
from serving import serving


@pytest.mark.plain
def test_the_bare_address_shows_the_game_that_is_served(browser_of, tmp_path):
    with serving(tmp_path, "hexapawn:rows=4") as address:
        page = browser_of()
        page.goto(address)
        expect(page.locator(".board [data-cell]")).to_have_count(12)
        session = page.evaluate("localStorage.getItem('zermelo.session')")
        page.goto("about:blank")
        page.goto(address)  # again: the same game goes on
        expect(page.locator(".board [data-cell]")).to_have_count(12)
        assert page.evaluate("localStorage.getItem('zermelo.session')") == session
        page.goto("about:blank")
        page.goto(f"{address}#game=hexapawn")
        expect(page.locator(".board [data-cell]")).to_have_count(9)
        page.goto("about:blank")
        page.goto(address)  # the last game was another one
        expect(page.locator(".board [data-cell]")).to_have_count(12)
