"""Where protocols play whose domains are of one kind."""

from genius_py.testing import check_party
from genius_py.testing.homes import home_scenarios


def test_a_protocol_about_any_domain_needs_no_home() -> None:
    assert home_scenarios("alternating_offers") == ()


def test_a_protocol_with_domains_of_its_own_is_at_home_in_the_bundled_ones_that_name_it() -> None:
    assert {home.name for home in home_scenarios("bilateral_trade")} == {
        "translation_job",
        "web_shop",
    }


def test_options_may_leave_only_some_of_them() -> None:
    (home,) = home_scenarios("bilateral_trade:mode=price_only")
    assert home.name == "web_shop"


def test_a_party_for_such_a_protocol_is_checked_there() -> None:
    report = check_party("trader", isolated=False)
    assert report.passed
    skipped = [check.claim for check in report.checks if check.skipped]
    assert "it plays a domain of 10^40 bids" in skipped
    assert "it only does what is allowed" not in skipped
