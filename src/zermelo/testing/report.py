"""What the conformance kit found: one `Check` a claim, all of them in a `Report`."""

from __future__ import annotations

import textwrap
from dataclasses import asdict, dataclass
from typing import Any

NOT_CHECKED = "not checked: "


@dataclass(frozen=True)
class Check:
    """One claim about the game; the detail says what was looked at, or what was expected and found, and where."""

    name: str
    passed: bool
    detail: str

    @property
    def status(self) -> str:
        if self.passed:
            return "ok"
        return "not checked" if self.detail.startswith(NOT_CHECKED) else "FAILED"


@dataclass(frozen=True)
class Report:
    """All checks of one game, in the order they were made."""

    game: str
    checks: list[Check]

    @property
    def conformant(self) -> bool:
        return all(check.passed for check in self.checks)

    @property
    def failures(self) -> list[Check]:
        """The claims that were found to be broken; those that could not be checked are left out."""
        return [check for check in self.checks if check.status == "FAILED"]

    def to_json(self) -> dict[str, Any]:
        return {"game": self.game, "conformant": self.conformant, "checks": [asdict(check) for check in self.checks]}

    def __str__(self) -> str:
        broken = len(self.failures)
        verdict = "conformant" if self.conformant else f"{broken} of {len(self.checks)} checks failed"
        wide = max((len(check.name) for check in self.checks), default=0)
        lines = [f"{self.game}: {verdict}"]
        for check in self.checks:
            head = f"  {check.status:<11}  {check.name:<{wide}}  "
            lines += textwrap.wrap(
                check.detail.removeprefix(NOT_CHECKED),
                120,
                initial_indent=head,
                subsequent_indent=" " * len(head),
                break_on_hyphens=False,
            )
        return "\n".join(lines)
