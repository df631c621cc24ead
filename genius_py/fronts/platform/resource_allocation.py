"""Resource allocation: two teams plan the hours of one cluster."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from genius_py.bid import Bid
from genius_py.domain import Domain
from genius_py.errors import ActionError
from genius_py.fronts.platform.company_car import whole
from genius_py.fronts.platform.offer_game import OfferGame
from genius_py.fronts.platform.replies import as_number
from genius_py.issue import RealIssue
from genius_py.utility import Limit, LinearUtilitySpace

__all__ = ["ResourceAllocationGame"]

_HOURS = ("gpu_hours", "cpu_hours")


class ResourceAllocationGame(OfferGame):
    """Development and marketing agree on the GPU and CPU hours of the cluster that both use.

    Both teams score the same totals, development GPU hours higher and marketing CPU hours; the
    bandwidth limits their sum. Only an offer of an earlier round can be accepted, and the BATNAs
    of the round in which it was made count.
    """

    game_type = "resource_allocation"
    roles = ("development", "marketing")
    required_settings = (
        "batnas",
        "max_rounds",
        "batna_decay",
        "total_resources",
        "constraints",
        "team_preferences",
    )
    same_round_accept = False
    batna_round = "offer"
    offer_word = "propose"

    def __init__(self, config: Mapping[str, Any]) -> None:
        # Scores by team go under either name.
        given = dict(config)
        if "scoring_weights" in given:
            given["team_preferences"] = given.pop("scoring_weights")
        super().__init__(given)

    def make_domain(self) -> Domain:
        """Hours of each kind."""
        limits, total = self.config["constraints"], float(self.config["total_resources"])
        return Domain(
            "resource_allocation",
            [
                RealIssue("gpu_hours", float(limits["min_gpu"]), total),
                RealIssue("cpu_hours", float(limits["min_cpu"]), total),
            ],
        )

    @property
    def limits(self) -> tuple[Limit, ...]:
        """What the hours together may not exceed."""
        per_hour = self.config.get("bandwidth_per_hour") or dict.fromkeys(_HOURS, 4)
        return (
            Limit((1.0, 1.0), self.config["total_resources"]),
            Limit([per_hour[kind] for kind in _HOURS], self.config["constraints"]["gpu_bandwidth"]),
        )

    def _scores(self, role: str) -> tuple[float, ...]:
        teams = {str(t).casefold(): s for t, s in self.config["team_preferences"].items()}
        return tuple(float(teams[role][kind]) for kind in _HOURS)

    def make_profile(self, role: str) -> LinearUtilitySpace:
        """In points."""
        return LinearUtilitySpace(
            domain=self.domain,
            coefficients=self._scores(role),
            limits=self.limits,
            reservation_value=self.batnas[role],
        )

    def read_terms(self, action: Mapping[str, Any]) -> Bid:
        """`gpu_hours` and `cpu_hours`, or `gpu` and `cpu`, flat or in a `proposal`."""
        content = action.get("proposal", action)
        content = content if isinstance(content, Mapping) else action
        hours = {}
        for kind in _HOURS:
            stated = content.get(kind, content.get(kind.removesuffix("_hours")))
            number = as_number(stated)
            if number is None or not math.isfinite(number) or number <= 0:
                raise ActionError(f"proposed {kind} of {stated!r}; it must be a number above 0")
            hours[kind] = float(number)
        for issue in self.domain.issues:
            assert isinstance(issue, RealIssue)
            if not issue.lower <= hours[issue.name] <= issue.upper:
                raise ActionError(
                    f"proposed {hours[issue.name]:g} {issue.name}; "
                    f"it must be from {issue.lower:g} to {issue.upper:g}"
                )
        for limit in self.limits:
            used = sum(c * hours[kind] for c, kind in zip(limit.coefficients, _HOURS, strict=True))
            # 0.1 + 0.2 may use up 0.3, but 384 is more than 380.
            if used > limit.upper * (1 + 1e-9):
                form = " + ".join(
                    f"{c:g} {kind}" for c, kind in zip(limit.coefficients, _HOURS, strict=True)
                )
                raise ActionError(
                    f"proposed {form} = {used:g}; at most {limit.upper:g} is possible"
                )
        return self.domain.bid(hours)

    def write_terms(self, bid: Bid) -> dict[str, Any]:
        """The hours, as whole numbers where they are."""
        return {kind: whole(bid[kind]) for kind in _HOURS}

    def utility(self, role: str, bid: Bid) -> float:
        """Points, without noise."""
        return sum(
            score * float(bid[kind]) for score, kind in zip(self._scores(role), _HOURS, strict=True)
        )

    def agreement_facts(self, bid: Bid) -> dict[str, Any]:
        """The hours."""
        return {"agreed_allocation": self.write_terms(bid), "constraints_met": True}

    def facts_for(self, role: str) -> dict[str, Any]:
        """What an hour of each kind is worth."""
        return {"coefficients": dict(zip(_HOURS, self._scores(role), strict=True))}

    def public_facts(self) -> dict[str, Any]:
        """The limits."""
        return {
            "total_resources": self.config["total_resources"],
            "constraints": dict(self.config["constraints"]),
        }

    def briefing(self, role: str) -> str:
        """What an hour is worth, and what is possible."""
        gpu, cpu = self._scores(role)
        sums = "; ".join(
            " + ".join(f"{c:g} {kind}" for c, kind in zip(limit.coefficients, _HOURS, strict=True))
            + f" at most {limit.upper:g}"
            for limit in self.limits
        )
        limits = self.config["constraints"]
        return (
            f"Two teams settle how many GPU and CPU hours the cluster that both use is to run. You "
            f"score {gpu:g} points for each of its GPU hours and {cpu:g} for each CPU hour. "
            f"Possible is: {sums}; at least {limits['min_gpu']} gpu_hours and "
            f"{limits['min_cpu']} cpu_hours. Only what was proposed in an earlier round can be "
            f"accepted."
        )

    def shown(self, role: str, bid: Bid, round_number: int) -> str:
        """The hours, their points, and how these compare."""
        above = self.surplus(role, bid, round_number) > 0
        return (
            f"{whole(bid['gpu_hours'])} gpu_hours, {whole(bid['cpu_hours'])} cpu_hours: "
            f"{self.utility(role, bid):g} points for you "
            f"({'better' if above else 'not better'} than your alternative)"
        )

    def reply_form(self) -> str:
        """Hours."""
        return '{"type": "propose", "gpu_hours": <number>, "cpu_hours": <number>}'
