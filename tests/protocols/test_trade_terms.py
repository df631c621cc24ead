import pytest

from genius_py.allowed import Number, OneOf
from genius_py.domain import Domain
from genius_py.errors import DomainError
from genius_py.issue import DiscreteIssue, IntegerIssue, Issue, RealIssue, TextIssue
from genius_py.protocols.trade_actions import Propose
from genius_py.protocols.trade_terms import TradeTerms

WORK = Domain("work", [DiscreteIssue("scope", ["logo", "website"]), IntegerIssue("price", 10, 90)])


@pytest.mark.parametrize(
    ("issues", "about_scope", "missing"),
    [
        ([TextIssue("scope")], True, "'price'"),
        ([DiscreteIssue("price", ["1"]), TextIssue("scope")], True, "'price'"),
        ([RealIssue("price", 0, 1)], True, "'scope'"),
        ([RealIssue("price", 0, 1), RealIssue("scope", 0, 1)], True, "'scope'"),
        ([RealIssue("price", 0, 1), TextIssue("colour")], False, "colour"),
    ],
)
def test_a_domain_without_price_or_scope_is_refused(
    issues: list[Issue], about_scope: bool, missing: str
) -> None:
    with pytest.raises(DomainError, match=missing):
        TradeTerms.of(Domain("odd", issues), about_scope=about_scope)


def test_a_budget_caps_the_price_and_a_scope_is_one_of_the_domain() -> None:
    terms = TradeTerms.of(WORK, about_scope=True)
    scope = OneOf(("logo", "website"))
    assert terms.rules() == {"scope": scope, "price": Number(10, 90, integer=True)}
    assert terms.rules(40) == {"scope": scope, "price": Number(10, 40, integer=True)}
    assert terms.bid(Propose("pro", "website", price=30)) == WORK.bid(scope="website", price=30)


def test_where_the_price_alone_is_negotiated_the_scope_is_the_first() -> None:
    terms = TradeTerms.of(WORK, about_scope=False)
    assert list(terms.rules()) == ["price"]
    assert terms.bid(Propose("pro", price=30)) == WORK.bid(scope="logo", price=30)
