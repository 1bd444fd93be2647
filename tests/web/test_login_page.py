"""The page that asks for the token, in a real browser."""

import pytest
from playwright.sync_api import expect
from reading import violations
from serving import serving

pytestmark = pytest.mark.plain

TOKEN = "class-2026-b"


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    """The address, without the token, of a server that needs it."""
    with serving(tmp_path_factory.mktemp("guarded"), "--token", TOKEN) as address:
        assert address.endswith(f"/?token={TOKEN}")
        yield address.partition("?")[0]


def test_a_wrong_token_is_reported_and_the_right_one_leads_to_the_game_of_the_address(browser_of, guarded):
    page = browser_of()
    page.goto(guarded + "#game=hexapawn&moves=b1b2")
    expect(page.get_by_label("Token")).to_be_focused()
    page.keyboard.type("wrong-token")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_have_text("This token is not right. Check it and try again.")
    page.get_by_label("Token").fill(f" {TOKEN}")
    page.get_by_role("button", name="Open").click()
    expect(page.locator(".moves .played").first).to_have_text("b1b2")
    assert TOKEN not in page.url
    page.reload()
    expect(page.locator(".board svg")).to_be_visible()


def test_a_link_on_another_site_leads_to_the_game(browser_of, guarded):
    page = browser_of()
    link = f'<a href="{guarded}?token={TOKEN}#game=hexapawn">Zermelo</a>'
    page.route("http://school.example/", lambda route: route.fulfill(content_type="text/html", body=link))
    page.goto("http://school.example/")
    page.get_by_role("link").click()
    expect(page.locator(".board svg")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1280])
def test_everybody_can_read_the_page_for_the_token(browser_of, guarded, scheme, width):
    page = browser_of(viewport={"width": width, "height": 640}, color_scheme=scheme, bypass_csp=True)
    page.goto(f"{guarded}?token=wrong-token")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == width
    dark = page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(14, 17, 20)"
    assert dark == (scheme == "dark")
