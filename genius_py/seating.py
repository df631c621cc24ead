"""Seating: from names to the plan of a session, and to what makes the parties at its table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import cycle

import attrs

from genius_py import formats, registry
from genius_py.deadline import Deadline
from genius_py.errors import GeniusError, OptionError, UnknownName
from genius_py.fault import FaultPolicy
from genius_py.party_source import PartySource, class_of, name_of, options_of, require_party
from genius_py.plan import SeatPlan, SessionPlan
from genius_py.protocol import MultilateralProtocol
from genius_py.scenario import Scenario
from genius_py.utility import UtilitySpace

__all__ = ["DEFAULT_ROUNDS", "default_deadline", "plan_session"]

DEFAULT_ROUNDS = 60
"""The deadline of a scenario that names none."""


def plan_session(
    protocol: str,
    domain: str | Scenario,
    *,
    parties: Sequence[PartySource] = (),
    mediator: PartySource | None = None,
    deadline: Deadline | str | int | None = None,
    seed: int = 0,
    retries: int = 0,
    on_fault: FaultPolicy = "fail",
    faithful: bool = False,
) -> tuple[SessionPlan, Mapping[str, PartySource]]:
    """Resolve every name; return the plan and, by seat id, what makes the parties.

    Parameters and exceptions as of `genius_py.run`.
    """
    scenario = domain if isinstance(domain, Scenario) else formats.load(domain)
    rules = registry.class_of("protocol", protocol)
    seats, makers = _seats(scenario, rules, parties, mediator)
    plan = SessionPlan(
        protocol=_canonical(protocol, rules, scenario),
        scenario=_with_profiles_of(scenario, seats, makers),
        seats=seats,
        deadline=default_deadline(scenario, rules)
        if deadline is None
        else Deadline.parse(deadline),
        seed=seed,
        retries=retries,
        on_fault=on_fault,
        faithful=faithful,
    )
    return _require_end(plan, rules), makers


def default_deadline(scenario: Scenario, rules: type[MultilateralProtocol]) -> Deadline:
    """The deadline of a session that is given none: the scenario's, or else 60 rounds.

    A one-shot protocol has one round, unless a scenario that is made for it says otherwise. And a
    scenario's single round is for its own protocol, such as a sealed auction; another game would
    be over before it had begun.
    """
    own, fits = scenario.deadline, _is_made_for(scenario, rules)
    if rules.is_one_shot and (own is None or scenario.protocol is None or not fits):
        return Deadline(rounds=1)
    if own is None or (own.rounds == 1 and not fits):
        return Deadline(rounds=DEFAULT_ROUNDS)
    return own


def _require_end(plan: SessionPlan, rules: type[MultilateralProtocol]) -> SessionPlan:
    if plan.deadline.rounds is None and not rules.actions:
        raise OptionError(
            f"{rules.name} names no `actions` and so asks nobody; rounds in which nothing happens "
            f"take no time, so give it a deadline in rounds, such as {DEFAULT_ROUNDS}rounds."
        )
    return plan


def _is_made_for(scenario: Scenario, rules: type[MultilateralProtocol]) -> bool:
    """Whether a scenario names this protocol, or none."""
    if scenario.protocol is None:
        return True
    return registry.class_of("protocol", scenario.protocol) is rules


def _canonical(protocol: str, rules: type[MultilateralProtocol], scenario: Scenario) -> str:
    """The spec under its registered name, so that SAOP and alternating_offers write the same log.

    A class from a file keeps its place, by which a replay finds it again. Options that are not
    given are those of the scenario, if it is made for this protocol: a reverse auction's are.
    """
    spec = registry.Spec.parse(protocol)
    if scenario.protocol is not None:
        own = registry.Spec.parse(scenario.protocol)
        if own.options and registry.find("protocol", own.target) is rules:
            spec = attrs.evolve(spec, options={**own.options, **spec.options})
    return str(spec if ":" in spec.target else attrs.evolve(spec, target=rules.name))


def _seats(
    scenario: Scenario,
    rules: type[MultilateralProtocol],
    parties: Sequence[PartySource],
    mediator: PartySource | None,
) -> tuple[list[SeatPlan], dict[str, PartySource]]:
    if not scenario.roles:
        raise OptionError(
            f"{scenario.name!r} has no profiles to seat parties at; add --profile FILE once for "
            f"each party (profiles= of load), or name the folder that holds them."
        )
    if isinstance(parties, str) or not isinstance(parties, Iterable):
        raise OptionError(
            f"Parties are a list, one for each seat; write parties=[{name_of(parties)!r}, ...]."
        )
    for one in parties if mediator is None else (*parties, mediator):
        require_party(one)
    wanted = _wanted(scenario, rules, parties)
    seats: list[SeatPlan] = []
    makers: dict[str, PartySource] = {}

    def seat(source: PartySource, role: str, name: str, is_mediator: bool) -> None:
        ids = (name, *(f"{name}@{number}" for number in range(2, len(seats) + 2)))
        free_id = next(own for own in ids if own not in makers)
        place = SeatPlan(free_id, role, name_of(source), is_mediator)
        seats.append(place)
        makers[place.id] = source

    chair = _mediator(rules, mediator)
    if chair is not None:
        seat(chair, "", "mediator", True)
    named = {role for _, role in wanted}
    free = [role for role in scenario.roles if role not in named]
    for number, (source, named_role) in enumerate(wanted, start=1):
        if class_of(source).is_mediator:
            raise OptionError(
                f"{name_of(source)} is a mediator and cannot sit among the parties; "
                f"name it with mediator= (--mediator)."
            )
        role = named_role or ""
        if named_role is None:
            if not free:
                raise OptionError(
                    f"There are {len(wanted)} parties for the {len(scenario.profiles)} profiles "
                    f"of {scenario.name!r}; name fewer parties or seat two at one with @ROLE."
                )
            role = free.pop(0)
        seat(source, role, role or f"party{number}", False)
    _require_fitting(rules, len(wanted))
    return seats, makers


def _wanted(
    scenario: Scenario, rules: type[MultilateralProtocol], parties: Sequence[PartySource]
) -> list[tuple[PartySource, str | None]]:
    """Who is to play, with the roles that are asked for; classical bots where few are named."""
    wanted: list[tuple[PartySource, str | None]] = [_role_of(party, scenario) for party in parties]
    if len(wanted) < 2:
        default = rules.default_parties
        bots = cycle(default[::-1] if wanted else default)
        wanted += [(next(bots), None) for _ in range(len(wanted), len(scenario.roles))]
    return wanted


def _mediator(
    rules: type[MultilateralProtocol], mediator: PartySource | None
) -> PartySource | None:
    """Who sits in the mediator's seat; None where the protocol has none."""
    if not rules.needs_mediator:
        if mediator is not None:
            raise OptionError(
                f"Protocol {rules.name} has no mediator's seat; leave the mediator out."
            )
        return None
    source = mediator or rules.default_mediator
    if source is None:
        raise OptionError(f"Protocol {rules.name} needs a mediator; name one with mediator=.")
    if not class_of(source).is_mediator:
        raise OptionError(f"{name_of(source)} is not a mediator; {rules.name} needs one.")
    return source


def _require_fitting(rules: type[MultilateralProtocol], number: int) -> None:
    fewest, most = rules.parties_range
    if number < fewest or (most is not None and number > most):
        bounds = f"{fewest} or more" if most is None else f"{fewest} to {most}"
        bounds = str(fewest) if fewest == most else bounds
        raise OptionError(
            f"Protocol {rules.name} needs {bounds} parties, not {number}; name as many."
        )


def _with_profiles_of(
    scenario: Scenario, seats: Sequence[SeatPlan], makers: Mapping[str, PartySource]
) -> Scenario:
    """The scenario with the profiles that parties bring along."""
    brought = {}
    for seat in seats:
        source, role = makers[seat.id], seat.role
        if not role:
            continue
        space = scenario.profile(role)
        own = _profile_for(source, space)
        if own is not space:
            if sum(other.role == role for other in seats) > 1:
                raise OptionError(
                    f"{name_of(source)} brings a profile of its own, but others sit at {role!r} "
                    f"too; seat it at a role that it has for itself."
                )
            brought[role] = own
    if not brought:
        return scenario
    return attrs.evolve(scenario, profiles={**scenario.profiles, **brought})


def _profile_for(source: PartySource, space: UtilitySpace) -> UtilitySpace:
    try:
        own = class_of(source).profile_for(space, options_of(source))
    except GeniusError:
        raise
    except Exception as error:
        raise OptionError(
            f"{name_of(source)} cannot say what its profile is: {type(error).__name__}: {error}."
        ) from error
    if not isinstance(own, UtilitySpace):
        raise OptionError(
            f"{name_of(source)} brings a {type(own).__name__} for a profile; profile_for must "
            f"return a utility space."
        )
    return own


def _role_of(party: PartySource, scenario: Scenario) -> tuple[PartySource, str | None]:
    """A spec and the role that it ends with, the longest one; any other ``@`` belongs to the spec.

    Raises:
        UnknownName: what follows the last ``@`` is no role, and only without it there is a party.
    """
    if not isinstance(party, str) or "@" not in party:
        return party, None
    ends = [role for role in scenario.roles if party.endswith(f"@{role}")]
    if ends:
        role = max(ends, key=len)
        return party.removesuffix(f"@{role}"), role
    spec, _, meant = party.rpartition("@")
    if not _is_party(party) and _is_party(spec):
        scenario.profile(meant)
    return party, None


def _is_party(spec: str) -> bool:
    try:
        class_of(spec)
    except (UnknownName, OptionError):
        return False
    return True
