"""Terms: the bids of a domain that says what is to be done, and at what price."""

from __future__ import annotations

import attrs

from genius_py.allowed import Constraint, FieldRules, Number, OneOf, Text
from genius_py.bid import Bid
from genius_py.domain import Domain
from genius_py.errors import DomainError
from genius_py.issue import DiscreteIssue, IntegerIssue, RealIssue, TextIssue
from genius_py.protocols.trade_actions import Propose

__all__ = ["TradeTerms"]


@attrs.frozen
class TradeTerms:
    """The terms of a domain with an issue ``price``, and perhaps an issue ``scope``.

    `scope` is the rule for scopes, None where only the price is negotiated.
    """

    domain: Domain
    price: IntegerIssue | RealIssue
    scope: Constraint | None

    @classmethod
    def of(cls, domain: Domain, *, about_scope: bool) -> TradeTerms:
        """The terms of a domain.

        Raises:
            DomainError: it has no issue of that kind, or others.
        """
        issues = {issue.name: issue for issue in domain.issues}
        price = issues.get("price")
        if not isinstance(price, IntegerIssue | RealIssue) or issues.keys() - {"price", "scope"}:
            raise DomainError(
                f"Domain {domain.name!r} has the issues {', '.join(issues)}; a trade has 'price', "
                f"an integer or real issue, and 'scope'."
            )
        return cls(domain, price, _scope_rule(domain) if about_scope else None)

    def rules(self, most: float | None = None) -> FieldRules:
        """What the fields of a `Propose` may hold; `most` is a budget, that caps every price."""
        top = self.price.upper if most is None else most
        price = Number(self.price.lower, top, integer=isinstance(self.price, IntegerIssue))
        return {"price": price} if self.scope is None else {"scope": self.scope, "price": price}

    def bid(self, proposal: Propose) -> Bid:
        """The bid that a proposal means; a scope that is not negotiated is the domain's first."""
        values: dict[str, object] = {"price": proposal.price}
        for issue in self.domain.issues:
            if issue.name == "scope":
                values["scope"] = proposal.scope or issue.value_at(0)
        return self.domain.bid(values)


def _scope_rule(domain: Domain) -> Constraint:
    for issue in domain.issues:
        match issue:
            case TextIssue(name="scope", max_length=longest):
                return Text(max_length=longest, min_length=1)
            case DiscreteIssue(name="scope", values=values):
                return OneOf(values)
    raise DomainError(
        f"Domain {domain.name!r} has no issue 'scope', a text or a list of values; add one, or "
        f"trade with mode=price_only."
    )
