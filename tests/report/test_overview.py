from collections.abc import Iterator

import pytest

from genius_py.model_counts import ModelCounts
from genius_py.report.overview import ALL, overview
from genius_py.tournament.played import PlayedFault, SeatCounts
from genius_py.tournament.ranking import rank
from genius_py.tournament.store import Results, StoredSession

SPLIT = PlayedFault(1, 2, "choose_action", "raised ValueError", False)


def session(
    number: int = 0,
    parties: tuple[str, ...] = ("ann", "bob"),
    utilities: tuple[float, ...] = (0.6, 0.4),
    *,
    domain: str = "cake",
    is_agreed: bool = True,
    is_scored: bool = True,
    faults: tuple[PlayedFault, ...] = (),
    models: tuple[SeatCounts, ...] = (),
) -> StoredSession:
    return StoredSession(
        protocol="alternating_offers",
        domain=domain,
        roles=("left", "right", "top")[: len(parties)],
        deadline="9rounds",
        repetition=number,
        parties=parties,
        reason="agreement" if is_agreed else "deadline",
        detail="",
        is_scored=is_scored,
        agreement='{"cut": "a"}' if is_agreed else None,
        agreeing_parties=2,
        rounds=3,
        turns=6,
        time=0.5,
        utilities=utilities,
        discounted=utilities,
        social_welfare=sum(utilities),
        fairness=0.8,
        distance_to_pareto=0.1 if is_agreed else None,
        distance_to_nash=None,
        faults=faults,
        key=(number, 0, 0),
        models=models,
    )


def test_scores_are_known_with_and_without_sessions_that_needed_a_fallback() -> None:
    aided = SeatCounts(2, ModelCounts(turns=4, replies=7, illegal=5, fallbacks=1))
    alone = SeatCounts(2, ModelCounts(turns=3, replies=3))
    seen = overview(
        [
            session(0, utilities=(0.6, 0.4), models=(aided,)),
            session(1, utilities=(0.2, 0.3), models=(alone,), domain="pie"),
            session(2, utilities=(0.1, 0.1), models=(aided,), is_scored=False),
        ]
    )
    ann, bob = seen.standings[ALL]
    assert ann.models is None
    assert bob.models == ModelCounts(turns=11, replies=17, illegal=10, fallbacks=2)
    assert (ann.unaided, bob.unaided) == (1, 1)
    assert (ann.unaided_utility, bob.unaided_utility) == (0.2, 0.3)
    (only,) = [each for each in seen.standings["cake"] if each.party == "bob"]
    assert (only.unaided, only.unaided_utility) == (0, None)


def test_utilities_are_means_over_all_scored_sessions_and_over_agreements() -> None:
    seen = overview(
        [
            session(0, utilities=(0.6, 0.4)),
            session(1, utilities=(0.2, 0.3), is_agreed=False),
            session(2, utilities=(9.0, 9.0), is_scored=False),
        ]
    )
    ann, bob = seen.standings[ALL]
    assert (ann.party, ann.sessions, ann.unscored) == ("ann", 2, 1)
    assert ann.utility == pytest.approx(0.4)
    assert ann.agreed_utility == pytest.approx(0.6)
    assert ann.agreement_rate == pytest.approx(0.5)
    assert ann.distance_to_pareto == pytest.approx(0.1)
    assert ann.distance_to_nash is None
    assert bob.utility == pytest.approx(0.35)
    assert (bob.low, bob.rank_low) == (None, None)
    assert (seen.sessions, seen.agreements, seen.unscored) == (3, 2, 1)


def test_ties_are_ordered_by_name_and_those_without_a_score_come_last() -> None:
    seen = overview(
        [
            session(0, ("zoe", "amy"), (0.5, 0.5)),
            session(1, ("eve", "max"), (0.9, 0.1), is_scored=False),
        ]
    )
    assert seen.parties == ("amy", "zoe", "eve", "max")


def test_each_domain_has_its_own_figures() -> None:
    seen = overview([session(0), session(1, utilities=(0.2, 0.8), domain="pie")])
    assert seen.domains == ("cake", "pie")
    assert [standing.party for standing in seen.standings["cake"]] == ["ann", "bob"]
    assert [standing.party for standing in seen.standings["pie"]] == ["bob", "ann"]
    assert seen.meetings["pie"]["bob", "ann"].utility == pytest.approx(0.8)
    assert seen.meetings[ALL]["ann", "bob"].sessions == 2


def test_who_sits_at_a_table_of_three_meets_both_others() -> None:
    seen = overview([session(0, ("ann", "bob", "cid"), (0.5, 0.3, 0.1))])
    met = seen.meetings[ALL]
    assert met.keys() == {
        ("ann", "bob"),
        ("ann", "cid"),
        ("bob", "ann"),
        ("bob", "cid"),
        ("cid", "ann"),
        ("cid", "bob"),
    }
    assert met["ann", "cid"].utility == pytest.approx(0.5)


def test_a_party_that_meets_itself_counts_for_both_seats() -> None:
    seen = overview([session(0, ("ann", "ann"), (0.6, 0.2))])
    (ann,) = seen.standings[ALL]
    assert ann.sessions == 2
    assert ann.utility == pytest.approx(0.4)
    assert seen.meetings[ALL]["ann", "ann"].sessions == 2


def test_a_fault_is_that_of_whoever_sat_there() -> None:
    mediators = PlayedFault(0, 1, "choose_action", "raised", True)
    seen = overview([session(0, faults=(SPLIT, mediators))])
    ann, bob = seen.standings[ALL]
    assert (ann.faults, bob.faults, seen.faults) == (1, 0, 2)


def many(count: int) -> Iterator[StoredSession]:
    return (session(n, faults=(SPLIT,) if n % 100 == 99 else ()) for n in range(count))


def test_of_many_sessions_a_sample_is_listed_and_those_with_faults_first() -> None:
    seen = overview(many(1000), most_listed=60)
    listed = [kept.key[0] for kept in seen.listed]
    assert (seen.sessions, len(listed)) == (1000, 60)
    assert set(range(99, 1000, 100)) <= set(listed)
    assert listed == sorted(listed)
    # Half of the others come from either half, give or take what chance allows.
    assert 10 < sum(number < 500 for number in listed) - 5 < 40
    assert seen.listed == overview(many(1000), most_listed=60).listed


def test_few_sessions_are_all_listed_in_their_order() -> None:
    assert [kept.key[0] for kept in overview(many(200)).listed] == list(range(200))


def test_the_figures_are_those_of_the_ranking(results_file: object) -> None:
    with Results(results_file) as results:  # type: ignore[arg-type]
        ranked = rank(results).standings
        seen = overview(results.sessions())
    for ours, theirs in zip(seen.standings[ALL], ranked, strict=True):
        assert ours.party == theirs.party
        for figure in (
            "sessions",
            "utility",
            "discounted_utility",
            "agreements",
            "agreement_rate",
            "agreed_utility",
            "distance_to_pareto",
            "distance_to_nash",
            "social_welfare",
            "fairness",
            "rounds",
            "faults",
            "unscored",
        ):
            assert getattr(ours, figure) == pytest.approx(getattr(theirs, figure)), figure
