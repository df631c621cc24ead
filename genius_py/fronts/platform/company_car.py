"""The company car: a buyer and a seller haggle over one price."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from genius_py.bid import Bid
from genius_py.domain import Domain
from genius_py.errors import ActionError
from genius_py.fronts.platform.offer_game import OfferGame
from genius_py.fronts.platform.replies import as_number, read_reply
from genius_py.issue import RealIssue
from genius_py.utility import LinearUtilitySpace

__all__ = ["CompanyCarGame"]


class CompanyCarGame(OfferGame):
    """A buyer and a seller haggle over the price of a company car.

    The BATNA of each is another price, which decays: the buyer could get a car for less each
    round, the seller would be paid less. An offer may be accepted in the round in which it was
    made; the BATNAs of the round of acceptance count. Budget, cost and starting price are context
    for the players and enter no rule.
    """

    game_type = "company_car"
    roles = ("buyer", "seller")
    required_settings = (
        "starting_price",
        "buyer_budget",
        "seller_cost",
        "batnas",
        "max_rounds",
        "batna_decay",
    )

    def make_domain(self) -> Domain:
        """One price."""
        low, high = self.config.get("price_bounds", (10_000, 100_000))
        return Domain("company_car", [RealIssue("price", low, high)])

    def make_profile(self, role: str) -> LinearUtilitySpace:
        """In the currency of the price, as final utilities are in round 1."""
        batna = self.batnas[role]
        sign, constant = (-1.0, 2 * batna) if role == "buyer" else (1.0, 0.0)
        return LinearUtilitySpace(
            domain=self.domain, coefficients=(sign,), constant=constant, reservation_value=batna
        )

    def read_terms(self, action: Mapping[str, Any]) -> Bid:
        """A `price` within the bounds, or a `value`."""
        price = as_number(action.get("price", action.get("value")))
        issue = self.domain.issues[0]
        assert isinstance(issue, RealIssue)
        if price is None or not math.isfinite(price) or not issue.lower <= price <= issue.upper:
            raise ActionError(
                f"offered a price of {action.get('price', action.get('value'))!r}; "
                f"it must be a number from {issue.lower:g} to {issue.upper:g}"
            )
        return self.domain.bid(price=float(price))

    def write_terms(self, bid: Bid) -> dict[str, Any]:
        """The price, as a whole number where it is one."""
        return {"price": whole(bid["price"])}

    def utility(self, role: str, bid: Bid) -> float:
        """The price."""
        return float(bid["price"])

    def surplus(self, role: str, bid: Bid, round_number: int) -> float:
        """What the buyer saves, or the seller earns, against its BATNA of a round."""
        price, batna = float(bid["price"]), self.batna_of(role, round_number)
        return batna - price if role == "buyer" else price - batna

    def final_utility(self, role: str, bid: Bid, round_number: int) -> float:
        """BATNA plus surplus, so that subtracting the BATNA gives the surplus."""
        return self.batna_of(role, round_number) + self.surplus(role, bid, round_number)

    def agreement_facts(self, bid: Bid) -> dict[str, Any]:
        """The price."""
        return {"agreed_price": whole(bid["price"])}

    def facts_for(self, role: str) -> dict[str, Any]:
        """Budget or cost."""
        if role == "buyer":
            return {"budget": self.config["buyer_budget"]}
        return {"cost": self.config["seller_cost"]}

    def public_facts(self) -> dict[str, Any]:
        """The starting price."""
        return {"starting_price": self.config["starting_price"]}

    def read_reply(self, player: str, reply: str | Mapping[str, Any]) -> dict[str, Any]:
        """Words may offer a price, too."""
        standing = self._protocol.standing(player)
        price = None if standing is None else float(standing["price"])
        return read_reply(reply, number_key="price", on_table=price)

    def briefing(self, role: str) -> str:
        """Which way the price is wanted."""
        wish, limit, figure = (
            ("low", "planned to pay", "buyer_budget")
            if role == "buyer"
            else ("high", "have spent on it", "seller_cost")
        )
        return (
            f"You negotiate the price of a company car that is listed at "
            f"{self.config['starting_price']}. You want a {wish} price. (For your orientation "
            f"only: the most you {limit} is {self.config[figure]}.)"
        )

    def shown(self, role: str, bid: Bid, round_number: int) -> str:
        """The price, and how it compares."""
        surplus = self.surplus(role, bid, round_number)
        verdict = "better" if surplus > 0 else "not better"
        return f"{whole(bid['price'])} ({verdict} for you than your alternative)"

    def reply_form(self) -> str:
        """A price."""
        return '{"type": "offer", "price": <number>}'


def whole(value: object) -> int | float:
    """A number without a fraction as a whole one."""
    number = float(value)  # type: ignore[arg-type]
    return int(number) if number.is_integer() else number
