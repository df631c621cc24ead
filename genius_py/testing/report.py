"""What a conformance check found: one line for each claim of a contract."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Mapping
from typing import Self, TypeVar

import attrs

__all__ = ["Check", "Complaint", "ConformanceError", "NotApplicable", "Remark", "Report", "examine"]

_Subject = TypeVar("_Subject")

_OWN_FOLDER = __file__.rpartition("report.py")[0]


@attrs.frozen
class Check:
    """One claim of the contract. `failure` says what is wrong and what to mend, empty when nothing
    is; `skipped` says why the claim was not looked into, empty when it was; `remark` what keeps the
    contract but looks like a mistake.
    """

    claim: str
    failure: str = ""
    skipped: str = ""
    remark: str = ""

    @property
    def passed(self) -> bool:
        """Whether nothing speaks against the claim."""
        return not self.failure

    def __str__(self) -> str:
        if self.failure:
            return f"FAILED {self.claim}: {self.failure}"
        if self.remark:
            return f"noted {self.claim}: {self.remark}"
        return f"skipped {self.claim}: {self.skipped}" if self.skipped else f"passed {self.claim}"


def _as_tuple(given: Iterable[Check]) -> tuple[Check, ...]:
    return tuple(given)


@attrs.frozen
class Report:
    """All checks of one plug-in, in the order in which they were made."""

    subject: str
    checks: tuple[Check, ...] = attrs.field(converter=_as_tuple)

    @property
    def passed(self) -> bool:
        """Whether every check passed."""
        return not self.failures

    @property
    def failures(self) -> tuple[Check, ...]:
        """The checks that failed."""
        return tuple(check for check in self.checks if not check.passed)

    def require(self) -> Self:
        """The report itself, when every check passed.

        Raises:
            ConformanceError: some did not; it carries this report.
        """
        if not self.passed:
            raise ConformanceError(self)
        return self

    def __str__(self) -> str:
        return "\n".join([f"{self.subject}:", *(f"  {check}" for check in self.checks)])


class ConformanceError(AssertionError):
    """A plug-in breaks its contract; `report` holds all checks, the text those that failed."""

    def __init__(self, report: Report) -> None:
        super().__init__(str(Report(report.subject, report.failures)))
        self.report = report

    def __reduce__(self) -> tuple[object, ...]:
        return ConformanceError, (self.report,)


class Complaint(Exception):
    """Raised when a claim does not hold; the text says what is wrong and what to mend."""


class NotApplicable(Exception):
    """Raised when a claim says nothing about this plug-in; the text says why."""


class Remark(Exception):
    """Raised when a claim holds, but what was seen looks like a mistake; the text says why."""


def examine(
    name: str, subject: _Subject, claims: Mapping[str, Callable[[_Subject], None]]
) -> Report:
    """Look into each claim: a function raises `Complaint`, `NotApplicable`, `Remark`, or nothing.

    Whatever else it raises came out of the plug-in, and is a failure too.
    """
    return Report(name, [_looked_into(subject, claim, look) for claim, look in claims.items()])


def _looked_into(subject: _Subject, claim: str, look: Callable[[_Subject], None]) -> Check:
    try:
        look(subject)
    except Complaint as complaint:
        return Check(claim, failure=str(complaint))
    except NotApplicable as reason:
        return Check(claim, skipped=str(reason))
    except Remark as remark:
        return Check(claim, remark=str(remark))
    except Exception as error:
        return Check(claim, failure=_raised(error))
    return Check(claim)


def _raised(error: Exception) -> str:
    """What was raised and where; the place is the last one outside this kit."""
    frames = traceback.extract_tb(error.__traceback__)
    place = next((f for f in reversed(frames) if not f.filename.startswith(_OWN_FOLDER)), None)
    where = f" in {place.name} ({place.filename}, line {place.lineno})" if place else ""
    return f"it raised {type(error).__name__}: {error}{where}"
