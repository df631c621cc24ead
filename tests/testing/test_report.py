"""Reports of conformance checks."""

import pickle

import pytest

from genius_py.testing import Check, ConformanceError, Report
from genius_py.testing.report import Complaint, NotApplicable, Remark, examine


def sound(subject: str) -> None:
    assert subject


def complaining(subject: str) -> None:
    raise Complaint(f"{subject} does nothing; let it do something.")


def out_of_place(subject: str) -> None:
    raise NotApplicable("it has none")


def odd(subject: str) -> None:
    raise Remark(f"{subject} looks odd")


def raising(subject: str) -> None:
    raise KeyError(subject)


def test_every_claim_is_looked_into() -> None:
    claims = {"a": complaining, "b": sound, "c": out_of_place, "d": raising}
    report = examine("mine", "mine", claims)
    assert report.checks[:3] == (
        Check("a", failure="mine does nothing; let it do something."),
        Check("b"),
        Check("c", skipped="it has none"),
    )
    assert report.checks[3].failure.startswith("it raised KeyError: 'mine' in raising (")
    assert [check.passed for check in report.checks] == [False, True, True, False]


def test_what_is_only_odd_passes_with_a_remark() -> None:
    report = examine("mine", "mine", {"a": odd})
    assert report.require().checks == (Check("a", remark="mine looks odd"),)
    assert str(report) == "mine:\n  noted a: mine looks odd"


def test_a_report_prints_one_line_a_check() -> None:
    report = Report("mine", [Check("a"), Check("b", failure="no."), Check("c", skipped="none")])
    assert str(report).splitlines() == [
        "mine:",
        "  passed a",
        "  FAILED b: no.",
        "  skipped c: none",
    ]


def test_an_error_tells_the_failures_and_carries_the_report() -> None:
    report = Report("mine", [Check("a"), Check("b", failure="no.")])
    with pytest.raises(ConformanceError) as caught:
        report.require()
    assert str(caught.value) == "mine:\n  FAILED b: no."
    assert caught.value.report is report
    assert pickle.loads(pickle.dumps(caught.value)).report == report


def test_a_report_without_failures_is_given_back() -> None:
    report = Report("mine", [Check("a")])
    assert report.require() is report
