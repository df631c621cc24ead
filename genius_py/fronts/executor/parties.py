"""Who takes part in a negotiation of the executor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs

from genius_py.errors import OptionError

__all__ = ["Participant", "ids_of", "participant"]


@attrs.frozen
class Participant:
    """An agent with numbers of its own, where those of the config are not for everybody.

    `agent` is anything that names itself: a text, or an object with an `id` or a `name` (a value
    or a method). What is None is taken from the config.
    """

    agent: Any
    reservation_value: float | None = None
    initial_offer: float | None = None
    concession_strategy: Any = None

    @property
    def id(self) -> str:
        """How the agent calls itself."""
        if isinstance(self.agent, str):
            return self.agent
        for attribute in ("id", "name"):
            named = getattr(self.agent, attribute, None)
            if callable(named):
                named = named()
            if named is not None:
                return str(named)
        raise OptionError(
            f"{self.agent!r} has neither an id nor a name; give it one, or pass a text."
        )


def participant(party: Any) -> Participant:
    """A party as a participant, which it may be already."""
    return party if isinstance(party, Participant) else Participant(party)


def ids_of(parties: Sequence[Any]) -> list[str]:
    """The ids of parties.

    Raises:
        OptionError: two parties have the same, or one has none.
    """
    ids = [participant(party).id for party in parties]
    if len(set(ids)) < len(ids):
        raise OptionError(f"Two parties have the same id: {', '.join(ids)}.")
    return ids
