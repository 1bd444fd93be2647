"""The page that solves games, in a real browser: from the games to the bluff in two clicks."""

import re

import pytest
from playwright.sync_api import expect
from reading import violations

pytestmark = pytest.mark.plain


@pytest.fixture
def solved(chromium, served):
    """Open the page that solves a game, and wait for its table."""
    contexts, faults = [], []

    def opened(fragment="", **options):
        contexts.append(chromium.new_context(**options))
        page = contexts[-1].new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("request", lambda request: request.url.startswith(served.address) or faults.append(request.url))
        page.goto(served.address + "solve" + fragment)
        page.locator(".strategy tbody tr").first.wait_for(timeout=60_000)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert faults == []


def test_two_clicks_lead_from_the_games_to_kuhn_solved_with_its_bluff(visit):
    page = visit()
    page.locator(".start").get_by_role("link", name="Kuhn poker").click()
    page.get_by_role("link", name="Solve", exact=True).click()
    expect(page.locator(".verdict .value")).to_have_text("−1/18", timeout=60_000)
    bluff = page.locator(".strategy tr", has_text="J check").filter(has_text="bluff")
    expect(bluff.locator(".share.bluff .number")).to_have_text("1/3")
    expect(page.get_by_text("Player 2 bluffs with “J check”: bet, 1/3 of the time.")).to_be_visible()
    expect(page.get_by_role("img", name="Exploitability over iterations")).to_be_visible()


def test_the_table_is_filtered_and_a_row_is_explained(solved):
    page = solved("#game=kuhn")
    rows = page.locator(".strategy tbody tr")
    expect(rows).to_have_count(12)
    page.get_by_role("button", name="Player 2", exact=True).click()
    expect(rows).to_have_count(6)
    page.get_by_role("searchbox").fill("j")
    expect(rows).to_have_count(2)
    rows.get_by_role("button", name="J check").press("Enter")
    expect(page.get_by_text("bet is a bluff: it loses unless the opponent believes it")).to_be_visible()
    expect(page.locator("tr.selected")).to_have_count(1)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_everyone_can_use_it(solved, theme):
    page = solved("#game=kuhn", color_scheme=theme, viewport={"width": 390, "height": 800})
    page.locator(".knows").first.click()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.compiled
def test_another_method_says_that_it_only_estimates(solved):
    page = solved("#game=kuhn")
    page.get_by_label("Method").select_option("cfr")
    expect(page.locator(".verdict .kind.estimate")).to_have_text(re.compile("~ −0.05"), timeout=60_000)
    assert "method=cfr" in page.url


def test_curves_of_several_methods_stay_in_the_picture_until_they_are_dismissed(solved):
    page = solved("#game=kuhn")
    curves = page.locator(".curve-room path:not(.faint)")
    expect(curves).to_have_count(1)
    page.get_by_label("Method").select_option("cfr")
    expect(curves).to_have_count(2, timeout=60_000)
    page.get_by_label("Method").select_option("dcfr")
    expect(curves).to_have_count(3, timeout=60_000)
    page.get_by_role("button", name="Only this method").click(timeout=60_000)
    expect(curves).to_have_count(1, timeout=60_000)
    expect(page.locator(".curve-room")).to_contain_text("Discounted CFR")
