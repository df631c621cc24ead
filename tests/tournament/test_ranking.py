from collections import defaultdict
from collections.abc import Callable
from statistics import fmean

import pytest

from genius_py.tournament import Results, plan_tournament, rank
from genius_py.tournament.evidence import Evidence
from genius_py.tournament.played import Played
from genius_py.tournament.tally import tallied
from tests.tournament.tournaments import DOMAIN, small

Player = Callable[..., Results]


def test_means_are_those_of_the_sessions(played: Player) -> None:
    results = played(self_play=True)
    own = defaultdict(list)
    for session in results.sessions():
        for seat, party in enumerate(session.parties):
            own[party].append((session, seat))
    ranking = rank(results)
    assert {standing.party for standing in ranking.standings} == own.keys()
    for standing in ranking.standings:
        mine = own[standing.party]
        agreed = [(s, seat) for s, seat in mine if s.agreement is not None]
        assert standing.sessions == len(mine)
        assert standing.agreements == len(agreed)
        assert standing.utility == pytest.approx(fmean(s.utilities[i] for s, i in mine))
        assert standing.discounted_utility == pytest.approx(fmean(s.discounted[i] for s, i in mine))
        assert standing.agreed_utility == pytest.approx(fmean(s.utilities[i] for s, i in agreed))
        assert standing.rounds == pytest.approx(fmean(s.rounds for s, _ in mine))
        assert standing.fairness == pytest.approx(fmean(s.fairness for s, _ in mine))
        assert standing.social_welfare == pytest.approx(fmean(s.social_welfare for s, _ in mine))
        assert standing.distance_to_nash == pytest.approx(
            fmean(s.distance_to_nash for s, _ in mine if s.distance_to_nash is not None)
        )
        assert standing.low is not None
        assert standing.high is not None
        assert standing.low <= standing.utility <= standing.high  # type: ignore[operator]


def test_the_best_comes_first_and_ties_go_by_name(played: Player) -> None:
    """Case C132: numbers are compared as numbers."""
    standings = rank(played(parties=["boulware", "linear", "conceder", "random"])).standings
    keys = [(-(standing.utility or 0), standing.party) for standing in standings]
    assert keys == sorted(keys)


def test_the_same_file_gives_the_same_ranking(played: Player) -> None:
    results = played()
    one, other = rank(results), rank(results)
    assert (one.standings, one.pairs) == (other.standings, other.pairs)


def test_differences_of_pairs_are_differences_of_means(played: Player) -> None:
    ranking = rank(played())
    means = {standing.party: standing.utility for standing in ranking.standings}
    assert len(ranking.pairs) == 3
    for pair in ranking.pairs:
        mine, theirs = means[pair.one], means[pair.other]
        assert mine is not None
        assert theirs is not None
        assert pair.difference == pytest.approx(mine - theirs)
        assert pair.p <= pair.p_adjusted <= 1


def test_all_against_one_compares_head_to_head(played: Player) -> None:
    results = played(parties=["boulware"], against=["conceder", "random"])
    compared = {(pair.one, pair.other): pair.difference for pair in rank(results).pairs}
    gains = [
        s.utilities[s.parties.index("boulware")] - s.utilities[s.parties.index("conceder")]
        for s in results.sessions()
        if "conceder" in s.parties
    ]
    assert compared["boulware", "conceder"] == pytest.approx(fmean(gains))
    # Those two met the same opponent alone, which makes them comparable, too.
    assert ("conceder", "random") in compared


def test_repetitions_without_chance_add_no_evidence(played: Player) -> None:
    parties = ["boulware", "conceder", "linear"]
    domains = [DOMAIN, "company_car"]
    once = rank(played("once.sqlite", parties=parties, domains=domains, repetitions=1))
    often = rank(played("often.sqlite", parties=parties, domains=domains, repetitions=20))
    assert (often.unit, often.blocks, once.blocks) == ("domain", 2, 2)
    assert (often.repeated, often.alike) == (12, 12)
    for one, many in zip(once.standings, often.standings, strict=True):
        assert (many.low, many.high) == pytest.approx((one.low, one.high))
        assert many.elo == pytest.approx(one.elo)
    assert [pair.p for pair in once.pairs] == [pair.p for pair in often.pairs]


def test_a_party_with_chance_makes_no_evidence_of_others_repetitions(played: Player) -> None:
    parties = ["boulware", "conceder", "random"]
    domains = [DOMAIN, "company_car"]
    ranking = rank(played(parties=parties, domains=domains, repetitions=20))
    assert (ranking.unit, ranking.blocks, ranking.repeated) == ("domain", 2, 12)
    assert 4 <= ranking.alike < 12
    assert {pair.blocks for pair in ranking.pairs} == {2}
    assert min(pair.p for pair in ranking.pairs) >= 0.5


def test_of_one_setting_repetitions_tell_as_far_as_they_differ(played: Player) -> None:
    settings = {"domains": ["company_car"], "repetitions": 12, "deadlines": "10rounds"}
    alike = rank(played("alike.sqlite", parties=["boulware", "conceder"], **settings))
    assert (alike.unit, alike.alike) == ("repetition", alike.repeated)
    assert all(standing.low is None for standing in alike.standings)
    (pair,) = alike.pairs
    assert (pair.low, pair.p, pair.blocks) == (None, 1.0, 1)
    assert "no intervals" in alike.evidence
    mixed = rank(played("mixed.sqlite", parties=["boulware", "conceder", "random"], **settings))
    assert mixed.blocks == 12
    by_chance = next(standing for standing in mixed.standings if standing.party == "random")
    assert by_chance.low is not None
    assert "of 6 repeated line-ups came out alike" in mixed.evidence


def test_repetitions_that_draw_a_scenario_each_are_evidence(played: Player) -> None:
    ranking = rank(
        played(parties=["boulware", "conceder"], domains=["random:issues=2"], repetitions=8)
    )
    assert (ranking.unit, ranking.blocks) == ("repetition", 8)
    both = played("both.sqlite", domains=["random:issues=2", "company_car"])
    assert rank(both).unit == "domain"


def test_settings_that_share_a_domain_are_one_piece_of_evidence(played: Player) -> None:
    parties = ["boulware", "conceder", "random"]
    domains = [DOMAIN, "company_car", "flour_supply"]
    one = rank(played("one.sqlite", parties=parties, domains=domains, deadlines="10rounds"))
    more = {"deadlines": ["10rounds", "20rounds", "30rounds", "40rounds"]}
    several = rank(played("several.sqlite", parties=parties, domains=domains, **more))
    assert (one.unit, one.blocks) == (several.unit, several.blocks) == ("domain", 3)
    assert "over 3 domains" in several.evidence
    # Of one domain its settings tell, if nothing of other domains.
    alone = rank(played("alone.sqlite", parties=parties, domains=["company_car"], **more))
    assert (alone.unit, alone.blocks) == ("setting", 4)
    # A domain that is drawn is the same for each deadline.
    drawn = played(
        "drawn.sqlite", parties=parties, domains=["random:issues=2"], repetitions=5, **more
    )
    assert (rank(drawn).unit, rank(drawn).blocks) == ("repetition", 5)
    assert len(list(drawn.sessions())) == 5 * 4 * 6


def test_one_block_has_no_interval(played: Player) -> None:
    ranking = rank(played(domains=[DOMAIN], repetitions=1))
    assert all(s.low is None and s.rank_low is None for s in ranking.standings)
    assert all(pair.low is None for pair in ranking.pairs)


def test_a_hopeless_party_is_last_in_every_resample(played: Player) -> None:
    ranking = rank(
        played(
            parties=["boulware", "linear", "accepting"],
            domains=["company_car", "flour_supply", "random:issues=2,values=4"],
            repetitions=4,
            deadlines="20rounds",
        )
    )
    last = ranking.standings[-1]
    assert last.party == "accepting"
    assert (last.rank_low, last.rank_high, last.first) == (3, 3, 0.0)
    assert sum(s.first or 0 for s in ranking.standings) >= 1.0


def test_faults_count_for_their_party_and_unscored_sessions_for_nobody(
    played: Player, agent: Callable[..., str]
) -> None:
    broken = agent("def choose_action(self, allowed):\n    raise ValueError('stuck')", "Broken")
    absent = agent("def init(self, info):\n    raise ValueError('absent')", "Absent", "absent.py")
    results = played(parties=[broken, absent, "boulware"], domains=[DOMAIN])
    standings = {s.party: s for s in rank(results).standings}
    assert standings[broken].faults == 4
    assert standings[broken].sessions == 4
    assert standings["boulware"].faults == 0
    assert standings["boulware"].sessions == 4
    assert standings["boulware"].unscored == 4
    assert standings[absent].sessions == 0
    assert standings[absent].utility is None
    assert rank(results).standings[-1].party == absent


def test_nobody_wins_by_a_role_that_is_worth_more(played: Player) -> None:
    # Nobody agrees, so that who sits at the better reservation value gets more, in turn.
    parties = ["hardliner", "hardliner:k=0.0"]
    standings = rank(played(parties=parties, domains=["flour_supply"])).standings
    assert [standing.elo for standing in standings] == pytest.approx([1500, 1500])


def test_who_gets_more_over_both_roles_has_the_higher_rating(played: Player) -> None:
    standings = {s.party: s for s in rank(played(domains=["company_car"])).standings}
    assert standings["boulware"].elo > standings["conceder"].elo


def test_self_play_makes_a_game(played: Player) -> None:
    assert rank(played()).game is None
    game = rank(played("self.sqlite", self_play=True)).game
    assert game is not None
    assert game.payoffs.shape == (3, 3)
    assert game.equilibria


def test_more_than_two_seats_rank_too(played: Player) -> None:
    results = played(parties=["boulware", "random", "linear"], domains=["wind_farm"])
    ranking = rank(results)
    assert {s.sessions for s in ranking.standings} == {6}
    assert ranking.game is None
    assert len(ranking.pairs) == 3


def test_blocks_are_bounded_and_counts_complete(tmp_path: pytest.TempPathFactory) -> None:
    path = f"{tmp_path}/many.sqlite"
    plan = plan_tournament(
        small(domains=[DOMAIN], parties=["boulware", "linear"], repetitions=2000)
    )
    with Results(path, create=True) as results:
        blocks = results.register(plan).blocks()
        results.add([made_up(match.key) for block in blocks for match in block])
        tally = tallied(results, Evidence.of(results))
    assert tally.blocks == 512
    assert tally.count.sum() == 4000
    assert tally.utility.sum() == pytest.approx(4000 * 1.25)


def made_up(key: tuple[int, int, int]) -> Played:
    return Played(
        key, "agreement", "", True, "{}", 2, 3, 6, 0.5,
        (0.75, 0.5), (0.75, 0.5), 1.25, 0.75, 0.0, 0.1, (), None, 0.001,
    )  # fmt: skip


@pytest.mark.parametrize(("repetitions", "are_few"), [(1, False), (5, True), (6, False)])
def test_of_few_blocks_it_says_that_intervals_are_too_narrow(
    played: Player, repetitions: int, are_few: bool
) -> None:
    results = played(parties=["random", "boulware"], domains=[DOMAIN], repetitions=repetitions)
    assert rank(results).has_few_blocks is are_few
