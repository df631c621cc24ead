"""What a person sees: short tables that fit the terminal; only here are numbers rounded."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TextIO, cast

from genius_py.action import EndNegotiation
from genius_py.bid import Bid
from genius_py.cli import _judgement, _output
from genius_py.log import Kind, Reason
from genius_py.model_counts import model_counts
from genius_py.outcome import Outcome

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from genius_py.analysis.of_outcome import OutcomeAnalysis

__all__ = [
    "bid",
    "figures",
    "number",
    "page",
    "show_actions",
    "show_outcome",
    "show_outcomes",
    "table",
    "value",
]


_UNWRAPPED = 10_000
_NAME = 24  # characters that a name keeps at least, before it goes on in the next line
_MOST_FAULTS = 5


def page() -> Console:
    """Where a command writes: colours on a terminal only, nothing read as mark-up.

    Elsewhere than on a terminal lines are as long as they are, for the programs that read them,
    and end with their last character.
    """
    from rich.console import Console

    file = _output.results()
    if not file.isatty():
        file = cast("TextIO", _Unpadded(file))
    console = Console(file=file, markup=False, emoji=False, highlight=False)
    if console.width < 1 or not (console.is_terminal or "COLUMNS" in os.environ):
        console.width = _UNWRAPPED
    return console


class _Unpadded:
    """A text file that gets lines without the blanks with which tables fill them."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def write(self, text: str) -> int:
        return self._file.write(re.sub(r" +$", "", text, flags=re.MULTILINE))

    def __getattr__(self, name: str) -> object:
        return getattr(self._file, name)


def table(*columns: str, right: Sequence[str] = ()) -> Table:
    """An empty table without lines; the columns of `right` hold numbers."""
    from rich.table import Table

    made = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for column in columns:
        made.add_column(column, justify="right" if column in right else "left", overflow="fold")
    return made


def figures(
    console: Console, rows: Sequence[Mapping[str, str]], name: str, spare: Sequence[str]
) -> tuple[Table, list[str]]:
    """A table of figures, none of which is broken, and the columns for which there was no room.

    `rows` have the same keys, the heads. Where the terminal is too narrow, heads and the column
    `name` go on in the next line, and of the columns in `spare` the last ones are left out.
    """
    from rich.cells import cell_len

    heads = list(rows[0])
    widths = {head: max(cell_len(row[head]) for row in rows) for head in heads}
    if sum(max(cell_len(head), widths[head]) + 2 for head in heads) - 2 > console.width:
        for head in heads:
            least = min(widths[head], _NAME) if head == name else widths[head]
            widths[head] = max(least, *map(cell_len, head.split()))
        for head in reversed(spare):
            if sum(widths[head] + 2 for head in heads) - 2 > console.width:
                heads.remove(head)
        room = console.width + 2 - sum(widths[head] + 2 for head in heads)
        longest = max(cell_len(row[name]) for row in rows)
        widths[name] = max(widths[name], min(longest, widths[name] + room))
    else:
        widths = {head: max(cell_len(head), widths[head]) for head in heads}
    made = table(*heads, right=[head for head in heads if head != name])
    for column, head in zip(made.columns, heads, strict=True):
        column.width = widths[head]
    for row in rows:
        made.add_row(*(row[head] for head in heads))
    return made, [head for head in rows[0] if head not in heads]


def number(figure: float | None) -> str:
    """A utility or distance as it is shown: four decimals."""
    return "-" if figure is None else f"{figure:.4f}"


def value(of_issue: object) -> str:
    """A value of an issue as it is shown: a real number without its float noise."""
    return f"{of_issue:.10g}" if isinstance(of_issue, float) else str(of_issue)


def bid(offered: Bid) -> str:
    """A bid on one line, its values as `value` shows them."""
    return ", ".join(f"{issue}: {value(chosen)}" for issue, chosen in offered.items())


def show_outcome(console: Console, outcome: Outcome, analysis: OutcomeAnalysis | None) -> None:
    """One session: how it ended, what was agreed, who got what, and how good that is."""
    plan = outcome.plan
    console.print(
        f"{plan.protocol} on {plan.scenario.name}, {plan.deadline.in_words}, seed {plan.seed}",
        style="dim",
    )
    console.print()
    console.print(_ending(outcome), style=_STYLES.get(outcome.reason, "bold yellow"))
    console.print()
    if outcome.agreement is not None:
        what = "played" if outcome.is_joint_move else "agreed"
        console.print(_agreed(outcome.agreement, analysis, what))
        console.print()
    console.print(_shares(outcome, analysis))
    if analysis is not None:
        console.print()
        console.print(_judgement.of_outcome(analysis))
        console.print(
            f"Social welfare {number(analysis.social_welfare)} "
            f"of at most {number(analysis.max_social_welfare)}."
        )
        if not analysis.complete:
            console.print(_judgement.certainty(analysis), style="dim")
    if models := model_counts(outcome.log):
        console.print()
    for party, counts in models.items():
        console.print(f"{party} asked a language model: {counts}.", style="dim")
    if outcome.faults:
        console.print()
        _show_faults(console, outcome)


def show_outcomes(
    console: Console, outcomes: Sequence[Outcome], analyses: Sequence[OutcomeAnalysis | None]
) -> None:
    """Several sessions of the same plan: one row each, and what they come to together."""
    first = outcomes[0].plan
    console.print(
        f"{first.protocol} on {first.scenario.name}, {first.deadline.in_words}, "
        f"{len(outcomes)} sessions",
        style="dim",
    )
    console.print()
    parties = [seat.id for seat in first.parties]
    rows = table(
        "seed",
        "ended by",
        "round",
        *parties,
        "to Nash",
        right=("seed", "round", *parties, "to Nash"),
    )
    for outcome, analysis in zip(outcomes, analyses, strict=True):
        rows.add_row(
            str(outcome.plan.seed),
            outcome.reason.value,
            str(outcome.rounds),
            *(number(outcome.utilities[party]) for party in parties),
            number(None if analysis is None else analysis.distance_to_nash),
        )
    # What failed says nothing about how well anybody negotiates.
    counted = [outcome for outcome in outcomes if outcome.reason is not Reason.FAULT]
    agreed = sum(outcome.agreement is not None for outcome in counted)
    distances = [
        analysis.distance_to_nash
        for analysis in analyses
        if analysis is not None and analysis.distance_to_nash is not None
    ]
    rows.add_section()
    rounds = _mean(outcome.rounds for outcome in counted)
    rows.add_row(
        "mean",
        f"{agreed} of {len(counted)} agreed",
        "-" if rounds is None else f"{rounds:.1f}",
        *(number(_mean(outcome.utilities[party] for outcome in counted)) for party in parties),
        number(_mean(distances)),
        style="bold",
    )
    console.print(rows)
    if len({tuple(str(action) for action in outcome.log.actions) for outcome in outcomes}) == 1:
        console.print()
        console.print("All came out alike: the seed decides nothing here.", style="dim")
    if failed := len(outcomes) - len(counted):
        console.print()
        console.print(f"{_counted(failed, 'failed session')} left out of the means.")
    for outcome in outcomes:
        _show_faults(console, outcome, f"Seed {outcome.plan.seed}: ")


def _show_faults(console: Console, outcome: Outcome, start: str = "") -> None:
    minds = {seat.id: seat.party for seat in outcome.plan.seats}
    for fault in outcome.faults[:_MOST_FAULTS]:
        mind = "" if fault.place else minds.get(fault.party, "")
        who = f" ({mind})" if ".py:" in mind else ""
        console.print(f"{start}{' '.join(str(fault).split())}{who}", style="red")
    if more := len(outcome.faults[_MOST_FAULTS:]):
        console.print(f"{start}... and {_counted(more, 'more fault')}", style="red")


def show_actions(console: Console, outcome: Outcome) -> None:
    """The trace: one row a turn."""
    rows = table("round", "turn", "time", "action", right=("round", "turn", "time"))
    for event in outcome.log:
        if event.kind == Kind.ACTION:
            rows.add_row(str(event.round), str(event.turn), f"{event.time:.3f}", str(event.action))
    console.print(rows)
    console.print()


_STYLES: Mapping[Reason, str] = {Reason.AGREEMENT: "bold green", Reason.FAULT: "bold red"}


def _ending(outcome: Outcome) -> str:
    where = f"in round {outcome.rounds}"
    reason = outcome.reason
    if outcome.is_joint_move:
        text = f"Played up to round {outcome.rounds}"
    elif reason is Reason.AGREEMENT:
        text = f"Agreement {where}"
    elif reason is Reason.DEADLINE:
        text = f"No agreement: the deadline passed after {_counted(outcome.rounds, 'round')}"
    elif reason is Reason.WALKAWAY:
        text = f"No agreement: {_who_walked_away(outcome)} walked away {where}"
    elif reason is Reason.FAULT:
        text = f"The session failed {where}"
    else:
        text = f"No agreement: ended by its rules {where}"
    return f"{text} ({outcome.detail})" if outcome.detail else text


def _who_walked_away(outcome: Outcome) -> str:
    leaving = [a.party for a in outcome.log.actions if isinstance(a, EndNegotiation)]
    return leaving[-1] if leaving else "somebody"


def _agreed(agreement: Bid, analysis: OutcomeAnalysis | None, what: str) -> Table:
    """The agreement, issue by issue, beside the Nash bargaining solution."""
    nash = None if analysis is None else analysis.nash_bid
    rows = table("issue", what, *(() if nash is None else ("Nash",)))
    for issue, chosen in agreement.items():
        rows.add_row(issue, value(chosen), *(() if nash is None else (value(nash[issue]),)))
    return rows


def _shares(outcome: Outcome, analysis: OutcomeAnalysis | None) -> Table:
    """What each seat got, and what it could have had."""
    figures = {"utility": outcome.utilities}
    if outcome.discounted_utilities != outcome.utilities:
        figures["discounted"] = outcome.discounted_utilities
    figures["reservation"] = outcome.reservation_values
    if analysis is not None and analysis.nash_utilities is not None:
        figures["Nash"] = analysis.nash_utilities
    rows = table("seat", "party", *figures, right=tuple(figures))
    for seat in outcome.plan.seats:
        own = () if seat.is_mediator else (number(of[seat.id]) for of in figures.values())
        rows.add_row(seat.id, seat.party, *own)
    return rows


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _mean(figures: Iterable[float]) -> float | None:
    listed = list(figures)
    return sum(listed) / len(listed) if listed else None
