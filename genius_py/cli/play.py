"""`genius-py play`: a person negotiates at the terminal."""

from __future__ import annotations

from functools import partial
from itertools import cycle
from pathlib import Path

import click

from genius_py import formats, registry
from genius_py.cli import _output, _show, _terminal
from genius_py.cli._command import Command
from genius_py.manager import SessionManager
from genius_py.outcome import Outcome
from genius_py.parties.person import Person
from genius_py.report.outcome_space_plot import require_plotting
from genius_py.seating import plan_session

_DEFAULT_PROTOCOL = "SAOP"


@click.command(cls=Command)
@click.option(
    "--domain",
    required=True,
    metavar="NAME|FOLDER|FILE|random:...",
    help="A bundled domain, a folder or file, or one made up on the spot.",
)
@click.option(
    "--profile",
    "profiles",
    multiple=True,
    metavar="FILE",
    help="A profile for a Genius domain XML; once for each party, in seat order.",
)
@click.option(
    "--against",
    multiple=True,
    metavar="SPEC",
    help="Who sits at the other seats; with more seats than names, in turn.  [default: the bots "
    "that the protocol names]",
)
@click.option("--role", metavar="ROLE", help="The profile that is yours.  [default: the first]")
@click.option(
    "--protocol",
    metavar="NAME[:key=value,...]",
    help=f"The rules.  [default: the domain's own, or {_DEFAULT_PROTOCOL}]",
)
@click.option("--mediator", metavar="SPEC", help="Who mediates, in protocols that have a mediator.")
@click.option(
    "--deadline",
    metavar="60rounds|30s",
    help="When the session must be over.  [default: the domain's own, or 60rounds]",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option(
    "--log",
    type=_output.OutputFile(),
    metavar="FILE.jsonl",
    help="Write the session's event log, which genius-py replay and report read.",
)
@click.option(
    "--plot",
    type=_output.OutputFile(),
    metavar="FILE.png|FILE.svg",
    help="Draw the outcome space with the offers in it.",
)
def command(
    *,
    domain: str,
    profiles: tuple[str, ...],
    against: tuple[str, ...],
    role: str | None,
    protocol: str | None,
    mediator: str | None,
    deadline: str | None,
    seed: int,
    log: Path | None,
    plot: Path | None,
) -> None:
    """Negotiate yourself, and see in the end what was possible.

    You are asked what to do whenever it is your turn; help is one of the answers. Ctrl-C leaves.
    """
    if plot is not None:
        require_plotting(plot)
    scenario = formats.load(domain, profiles=profiles)
    own_role = scenario.roles[0] if role is None else role
    scenario.profile(own_role)
    rules = protocol or scenario.protocol or _DEFAULT_PROTOCOL
    usual = registry.class_of("protocol", rules).default_parties
    opponents = cycle(against or usual)
    plan, makers = plan_session(
        rules,
        scenario,
        parties=[
            f"{Person.name if own == own_role else next(opponents)}@{own}" for own in scenario.roles
        ],
        mediator=mediator,
        deadline=deadline,
        seed=seed,
    )
    me = next(seat.id for seat in plan.parties if seat.role == own_role)
    if scenario.description:
        click.echo(f"{scenario.description}\n", err=True)
    if _terminal.can_complete():
        makers = {**makers, me: partial(Person, _terminal.completing())}
    outcome = SessionManager(plan, makers).run()
    if log is not None:
        from genius_py.trace import write_log

        write_log(outcome, log)
    click.echo(err=True)
    _show_possible(outcome, me)
    _show.show([outcome], as_json=False, trace=False, plot=plot, log=log)


def _show_possible(outcome: Outcome, me: str) -> None:
    from genius_py.cli import _screen
    from genius_py.report.hindsight import hindsight, picture

    console = _screen.page()
    console.print(picture(outcome, me))
    console.print()
    if said := hindsight(outcome, me):
        console.print(said)
        console.print()
