"""The results of the conformance kit: a `Check` for each claim, all in a `Report`."""

from __future__ import annotations

import textwrap
from dataclasses import asdict, dataclass
from typing import Any

NOT_CHECKED = "not checked: "


@dataclass(frozen=True)
class Check:
    """One claim about the game; the detail says what was checked, or what was expected and found, and where."""

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
    """All checks of one game, in their order."""

    game: str
    checks: list[Check]

    @property
    def conformant(self) -> bool:
        return all(check.passed for check in self.checks)

    @property
    def failures(self) -> list[Check]:
        """The failed checks, without those that could not be made."""
        return [check for check in self.checks if check.status == "FAILED"]

    @property
    def verdict(self) -> str:
        """`1 of 41 checks failed, and 35 that need it were not made`."""
        failed, total = len(self.failures), len(self.checks)
        left_out = sum(not check.passed for check in self.checks) - failed
        needed = "it" if failed == 1 else "them"
        rest = (
            f", and {left_out} that need{'s' * (left_out == 1)} {needed} {'was' if left_out == 1 else 'were'} not made"
        )
        return f"{failed} of {total} checks failed" + rest * bool(left_out)

    def to_json(self) -> dict[str, Any]:
        return {"game": self.game, "conformant": self.conformant, "checks": [asdict(check) for check in self.checks]}

    def __str__(self) -> str:
        verdict = "conformant" if self.conformant else self.verdict
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
