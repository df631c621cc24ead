"""Integrative negotiations: two teams settle four questions of a move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from genius_py.bid import Bid
from genius_py.domain import Domain
from genius_py.errors import ActionError, OptionError
from genius_py.fronts.platform.offer_game import OfferGame
from genius_py.fronts.platform.replies import as_number, read_reply
from genius_py.issue import DiscreteIssue
from genius_py.utility import AdditiveUtilitySpace, DiscreteEvaluator

__all__ = ["IntegrativeNegotiationsGame"]


class IntegrativeNegotiationsGame(OfferGame):
    """IT and marketing settle four issues of a shared office, each with three options.

    A team's utility is the weighted sum of the points of the chosen options. An agreement is of the
    round in which it was proposed, and the BATNAs of that round count.

    With the shipped points both teams rank the options of every issue alike; ``preset="tradeoff"``
    gives each team points of its own. With ``snap=True`` an option that does not exist is replaced
    by the nearest number, or the last option, and marked as repaired; by default it is refused.
    """

    game_type = "integrative_negotiations"
    roles = ("IT", "Marketing")
    required_settings = ("issues", "weights", "batnas", "max_rounds", "batna_decay")
    batna_round = "offer"
    offer_word = "propose"

    def __init__(self, config: Mapping[str, Any]) -> None:
        given = dict(config)
        if "scoring_weights" in given:
            given["weights"] = given.pop("scoring_weights")
        preset = given.get("preset")
        if preset is not None:
            presets = given.get("presets") or {}
            if preset not in presets:
                raise OptionError(
                    f"There is no preset {preset!r}; there are: {', '.join(presets)}."
                )
            given = {**given, **presets[preset]}
        super().__init__(given)

    @property
    def issues(self) -> Mapping[str, Mapping[str, Any]]:
        """Each issue with its `options`."""
        found: Mapping[str, Mapping[str, Any]] = self.config["issues"]
        return found

    def _options(self, issue: str) -> Sequence[Any]:
        options: Sequence[Any] = self.issues[issue]["options"]
        return options

    def weights(self, role: str) -> Mapping[str, float]:
        """How much each issue counts for a role."""
        found: Mapping[str, float] = _of_role(self.config["weights"], role)
        return found

    def points(self, role: str, issue: str) -> Sequence[float]:
        """What each option of an issue is worth to a role, before weighting."""
        own = self.config.get("points")
        points = _of_role(own, role)[issue] if own else self.issues[issue].get("points")
        if points is None or len(points) != len(self._options(issue)):
            raise OptionError(f"Issue {issue!r} needs points, one for each option; got {points}.")
        found: Sequence[float] = points
        return found

    def make_domain(self) -> Domain:
        """The issues, whose values are the options as text."""
        return Domain(
            "integrative_negotiations",
            [DiscreteIssue(issue, [str(o) for o in self._options(issue)]) for issue in self.issues],
        )

    def make_profile(self, role: str) -> AdditiveUtilitySpace:
        """In shares of the most points that the role could have."""
        weights = self.weights(role)
        tops = {issue: max(self.points(role, issue)) for issue in self.issues}
        most = sum(weights[issue] * top for issue, top in tops.items())
        return AdditiveUtilitySpace(
            domain=self.domain,
            weights=[weights[issue] * top / most for issue, top in tops.items()],
            evaluators=[
                DiscreteEvaluator(
                    {str(option): points for option, points in self._options_with_points(role, i)}
                )
                for i in self.issues
            ],
            reservation_value=self.batnas[role] / most,
        )

    def _options_with_points(self, role: str, issue: str) -> list[tuple[Any, float]]:
        return list(zip(self._options(issue), self.points(role, issue), strict=True))

    def read_terms(self, action: Mapping[str, Any]) -> Bid:
        """An option for every issue, flat or in a `proposal`; whatever else is there is ignored."""
        content = action.get("proposal", action)
        content = content if isinstance(content, Mapping) else action
        missing = [issue for issue in self.issues if issue not in content]
        if missing:
            raise ActionError(f"proposed nothing for {', '.join(missing)}; name an option for each")
        return self.domain.bid(
            {issue: str(self._option(issue, content[issue])) for issue in self.issues}
        )

    def _option(self, issue: str, stated: object) -> object:
        for option in self._options(issue):
            if stated == option and not isinstance(stated, bool):
                return option
            if isinstance(stated, str) and stated.strip().casefold() == str(option).casefold():
                return option
        possible = ", ".join(str(option) for option in self._options(issue))
        raise ActionError(f"proposed {stated!r} for {issue}; possible is {possible}")

    def read_reply(self, player: str, reply: str | Mapping[str, Any]) -> dict[str, Any]:
        """With `snap`, options that do not exist are replaced, and the action says so."""
        action = read_reply(reply)
        if not self.config.get("snap"):
            return action
        nested = isinstance(action.get("proposal"), Mapping)
        content = dict(action["proposal"]) if nested else dict(action)
        repaired = []
        for issue in self.issues:
            if issue in content:
                try:
                    self._option(issue, content[issue])
                except ActionError:
                    content[issue] = self._nearest(issue, content[issue])
                    repaired.append(issue)
        if not repaired:
            return action
        changed = {**action, "proposal": content} if nested else content
        return {**changed, "repaired": repaired}

    def _nearest(self, issue: str, stated: object) -> object:
        options, number = self._options(issue), as_number(stated)
        if number is None or not all(isinstance(option, int | float) for option in options):
            return options[-1]
        return min(options, key=lambda option: abs(option - number))

    def write_terms(self, bid: Bid) -> dict[str, Any]:
        """The chosen option of each issue."""
        return {"proposal": self.chosen(bid)}

    def chosen(self, bid: Bid) -> dict[str, Any]:
        """Issue -> option, in the configuration's own type."""
        return {
            issue: next(o for o in self._options(issue) if str(o) == bid[issue])
            for issue in self.issues
        }

    def utility(self, role: str, bid: Bid) -> float:
        """The weighted sum of points."""
        weights = self.weights(role)
        return sum(
            weights[issue] * self.points(role, issue)[self._options(issue).index(option)]
            for issue, option in self.chosen(bid).items()
        )

    def calculate_utility(self, player: str, proposal: Mapping[str, Any]) -> float:
        """What a proposal is worth to a player.

        Raises:
            ActionError: it lacks an issue, or names an option that does not exist.
        """
        return self.utility(self.role_of(player), self.read_terms(proposal))

    def agreement_round(self, accepted: int, priced: int) -> int:
        """The round of the proposal."""
        return priced

    def agreement_facts(self, bid: Bid) -> dict[str, Any]:
        """The options."""
        return {"agreed_proposal": self.chosen(bid), "constraints_met": True}

    def facts_for(self, role: str) -> dict[str, Any]:
        """Weights and points."""
        return {
            "weights": dict(self.weights(role)),
            "points": {issue: list(self.points(role, issue)) for issue in self.issues},
        }

    def public_facts(self) -> dict[str, Any]:
        """The options of each issue."""
        return {"issues": {issue: list(self._options(issue)) for issue in self.issues}}

    def briefing(self, role: str) -> str:
        """Points and weights."""
        weights = self.weights(role)
        lines = "\n".join(
            f"- {issue} (weight {weights[issue]:g}): "
            + ", ".join(f"{o} = {points:g}" for o, points in self._options_with_points(role, issue))
            for issue in self.issues
        )
        return (
            f"Two teams settle the issues of an office that they share. Your points for each "
            f"option, which count by their weights:\n{lines}"
        )

    def shown(self, role: str, bid: Bid, round_number: int) -> str:
        """The options, their points, and how these compare."""
        above = self.surplus(role, bid, round_number) > 0
        chosen = ", ".join(f"{issue}: {option}" for issue, option in self.chosen(bid).items())
        return (
            f"{chosen}: {self.utility(role, bid):g} points for you "
            f"({'better' if above else 'not better'} than your alternative)"
        )

    def reply_form(self) -> str:
        """An option for each issue."""
        places = ", ".join(f'"{issue}": <option>' for issue in self.issues)
        return f'{{"type": "propose", {places}}}'


def _of_role(table: Mapping[str, Any], role: str) -> Any:
    for name, entry in table.items():
        if str(name).casefold() == role.casefold():
            return entry
    raise OptionError(f"The configuration says nothing about {role}; it has {', '.join(table)}.")
