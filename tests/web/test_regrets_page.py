"""Inside regret minimisation, in a real browser: the steps, the exercise, and who can use them."""

import re

import pytest
from playwright.sync_api import expect
from reading import violations

pytestmark = pytest.mark.plain


@pytest.fixture
def looked(chromium, served):
    contexts, faults = [], []

    def opened(fragment="", **options):
        contexts.append(chromium.new_context(**options))
        page = contexts[-1].new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("request", lambda request: request.url.startswith(served.address) or faults.append(request.url))
        page.goto(served.address + "inside/cfr" + fragment)
        page.locator(".strategy").wait_for(timeout=60_000)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert faults == []


def test_kuhns_twelve_sets_are_learned_step_by_step(looked):
    page = looked()
    expect(page.locator(".strategy tbody")).to_have_count(12)
    expect(page.locator(".narration")).to_contain_text("every move is equally likely")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".narration")).to_contain_text("Iteration 1, Player 1 with “J -”")
    expect(page.locator("tbody.selected")).to_have_count(1)
    expect(page.locator(".code-lines .now").first).to_be_visible()
    page.keyboard.press("End")
    expect(page.locator(".stepper .count")).to_have_text("360 / 360")
    page.keyboard.press("Home")
    page.get_by_label("Pace").select_option("quick")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".stepper .count")).not_to_have_text(re.compile("^[0-2] /"))
    page.get_by_role("button", name="Pause", exact=True).click()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_the_exercise_is_checked_and_explained(looked):
    page = looked("#mode=exercise")
    regrets = [cell.inner_text() for cell in page.locator(".regret-task tbody td:nth-child(2)").all()]
    values = [max(0.0, float(text.replace("−", "-"))) for text in regrets]
    fields = page.locator(".regret-task input")
    fields.nth(0).fill("0.017")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Not quite.")).to_be_visible()
    for place, value in enumerate(values):
        fields.nth(place).fill(f"{100 * value / sum(values):.1f} %")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Right.")).to_be_visible()
    page.get_by_role("button", name="Next question").click()
    expect(page.get_by_text("Right.")).to_have_count(0)


@pytest.mark.parametrize(("fragment", "theme"), [("", "light"), ("#mode=exercise", "dark")])
def test_everyone_can_use_it(looked, fragment, theme):
    page = looked(fragment, color_scheme=theme, viewport={"width": 390, "height": 800})
    if fragment:
        page.get_by_role("button", name="Check").click()
    else:
        page.get_by_role("button", name="Forward", exact=True).click()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
