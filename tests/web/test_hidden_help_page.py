"""Hints and costs in a game with hidden information, in a real browser."""

import pytest
from playwright.sync_api import expect
from reading import violations

pytestmark = pytest.mark.plain


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 390)])
def test_a_person_gets_hints_and_learns_afterwards_what_decisions_cost(visit, theme, width):
    page = visit("#game=kuhn", width=width, color_scheme=theme)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".hint")).to_contain_text("an equilibrium", timeout=60_000)
    expect(page.locator(".choice .odds")).to_have_count(2)
    page.get_by_role("switch", name="Analysis").check()
    expect(page.locator(".mixture li")).to_have_count(2, timeout=60_000)
    assert violations(page) == []
    while not page.locator(".ending").count():
        moves = page.locator(".choice")
        if moves.count():
            moves.last.click()
        page.wait_for_timeout(300)
    page.get_by_role("button", name="Review the game").click()
    expect(page.locator(".costs li .decision").first).to_be_visible(timeout=60_000)
    expect(page.locator(".costs .totals")).to_contain_text("Player 1 gave away")
    assert violations(page) == []
    page.locator(".costs .decision").first.click()
    expect(page.locator(".costs")).to_be_visible()
