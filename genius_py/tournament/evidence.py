"""What counts as one piece of evidence about other domains."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Self, TypeAlias

import attrs

from genius_py.tournament.store import Results

__all__ = ["ALIKE", "Evidence", "Unit"]

Unit: TypeAlias = Literal["domain", "setting", "repetition"]

ALIKE = 1e-9
"""What differs by less is float noise."""


@attrs.frozen
class Evidence:
    """The unit in which a results file tells of what was not played, and who belongs to which.

    What was played on one domain shares what is peculiar to it: its deadlines, protocols and
    repetitions are averaged, and the domain is the unit. Where there is but one domain something
    can be said of that alone: then the unit is a setting, or of a single setting a repetition. A
    repetition is also the unit where each draws its domains anew.

    `groups` has the number of each setting's domain, from 0, or of the setting itself where that is
    the unit.
    """

    unit: Unit
    groups: Mapping[int, int]

    @classmethod
    def of(cls, results: Results) -> Self:
        """That of a results file."""
        settings = list(
            results.select(
                "SELECT setting.id, scenario.digest, domain FROM setting "
                "LEFT JOIN scenario ON scenario = scenario.digest ORDER BY setting.id"
            )
        )
        domains: dict[tuple[str | None, str], int] = {}
        groups = {
            number: domains.setdefault((digest, "" if digest else domain), len(domains))
            for number, digest, domain in settings
        }
        is_drawn = not any(digest for _, digest, _ in settings)
        if is_drawn or len(settings) < 2:
            return cls("repetition", groups)
        if len(domains) > 1:
            return cls("domain", groups)
        return cls("setting", {number: place for place, number in enumerate(groups)})

    def block(self, repetition: int, setting: int) -> tuple[int, int]:
        """Which unit a session belongs to."""
        return repetition if self.unit == "repetition" else 0, self.groups[setting]

    @property
    def width(self) -> int:
        """How many groups there are, at least 1."""
        return max(1, len(set(self.groups.values())))
