"""A scenario: a domain with the profiles of those who negotiate about it."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from genius_py.deadline import Deadline
from genius_py.domain import Domain
from genius_py.errors import DomainError, UnknownName
from genius_py.read_only import ReadOnly
from genius_py.utility import UtilitySpace

__all__ = ["Scenario"]


def _read_only(given: Mapping[str, UtilitySpace]) -> Mapping[str, UtilitySpace]:
    return ReadOnly(given)


@attrs.frozen
class Scenario:
    """A domain, one named profile for each role, and what a session uses unless told otherwise.

    `profiles` maps role to profile, in seat order. `deadline` and `protocol` are defaults of this
    game, None where it has none. `source` says where it was read from, for messages only.

    Raises:
        DomainError: a profile is of another domain.
    """

    domain: Domain
    profiles: Mapping[str, UtilitySpace] = attrs.field(converter=_read_only)
    deadline: Deadline | None = None
    protocol: str | None = None
    description: str = ""
    source: str = attrs.field(default="", eq=False)

    def __attrs_post_init__(self) -> None:
        for role, space in self.profiles.items():
            if space.domain is not self.domain and space.domain != self.domain:
                raise DomainError(
                    f"Profile {role!r} is of domain {space.domain.name!r}, "
                    f"not of {self.domain.name!r}."
                )

    @property
    def name(self) -> str:
        """The domain's name."""
        return self.domain.name

    @property
    def roles(self) -> tuple[str, ...]:
        """The names of the profiles, in seat order."""
        return tuple(self.profiles)

    def profile(self, role: str) -> UtilitySpace:
        """The profile of a role.

        Raises:
            UnknownName: there is no such role.
        """
        try:
            return self.profiles[role]
        except KeyError:
            raise UnknownName(
                f"Domain {self.name!r} has no role {role!r}; it has {', '.join(self.roles)}."
            ) from None

    def __str__(self) -> str:
        return f"{self.domain} for {', '.join(self.roles)}"
