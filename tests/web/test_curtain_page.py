"""Two people at one page of a game with hidden information, in a real browser."""

import re

import pytest
from playwright.sync_api import expect
from reading import violations
from whole import call

pytestmark = pytest.mark.plain


def shown(page):
    """Everything that somebody who takes the device over could read."""
    return page.locator("main").inner_text() + page.url


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 390)])
def test_each_person_lifts_the_curtain_and_sees_only_their_own_stones(visit, served, theme, width):
    begun = call(served.address, "sessions", {"game": "phantom", "players": [{}, {}]})
    page = visit(f"#s={begun['id']}", width=width, color_scheme=theme)
    curtain, cells = page.locator(".curtain"), page.locator(".board [data-cell]")

    def lift(name):
        expect(curtain).to_contain_text(f"Pass the device to {name}.")
        expect(cells.first).to_be_hidden()
        page.get_by_role("button", name=f"I am {name}: show the game").click()
        expect(curtain).to_have_count(0)

    assert violations(page) == []
    lift("X")
    page.locator('[aria-label^="b2"]').click()
    expect(curtain).to_be_visible()
    expect(page).not_to_have_url(re.compile("b2"))
    assert "b2" not in shown(page)
    assert violations(page) == []
    lift("O")
    expect(page.locator('[aria-label^="b2"]')).to_have_attribute("aria-label", "b2, empty")
    page.locator('[aria-label^="b2"]').click()
    expect(page.locator('[aria-label^="b2"]')).not_to_have_attribute("aria-label", "b2, empty")  # the try has failed
    page.locator('[aria-label^="a1"]').click()
    lift("X")
    expect(page.locator("ol.moves")).to_be_visible()
    assert "a1" not in shown(page)
    assert "Pass the device to O." in page.get_by_role("log").inner_text()
