"""Where protocols play that are not about any domain: the bundled scenarios that name them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from genius_py import formats, registry
from genius_py.deadline import Deadline, Timeline
from genius_py.errors import DomainError, OptionError
from genius_py.protocol import MultilateralProtocol
from genius_py.scenario import Scenario
from genius_py.session import Seat, Session
from genius_py.testing.scenarios import mixed_scenario

__all__ = ["home_scenarios"]


def home_scenarios(protocol: str) -> tuple[Scenario, ...]:
    """The bundled scenarios of a protocol that cannot play on the kit's own; else none.

    With options that not all of them suit, those that do.
    """
    rules: type[MultilateralProtocol] = registry.class_of("protocol", protocol)
    if _takes(protocol, mixed_scenario(max(2, rules.parties_range[0]))):
        return ()
    named = [scenario for scenario in _bundled() if _names(scenario, rules)]
    return tuple(scenario for scenario in named if _takes(protocol, scenario)) or tuple(named)


@cache  # values, which the checks of many parties may share
def _bundled() -> Sequence[Scenario]:
    return tuple(map(formats.load_bundled, formats.bundled_names()))


def _takes(protocol: str, scenario: Scenario) -> bool:
    deadline = Deadline(rounds=1)
    session = Session(scenario.domain, deadline, Timeline(deadline, lambda: 0.0))
    seats = [Seat(role, role) for role in scenario.roles]
    try:
        registry.make("protocol", protocol).before_session(session, seats)
    except (DomainError, OptionError):
        return False
    except Exception:  # whatever is wrong with it, a check will say so
        pass
    return True


def _names(scenario: Scenario, rules: type[MultilateralProtocol]) -> bool:
    if scenario.protocol is None:
        return False
    named: object = registry.class_of("protocol", scenario.protocol)
    return named is rules
