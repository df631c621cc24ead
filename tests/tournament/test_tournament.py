from pathlib import Path

import pytest

from genius_py.deadline import Deadline
from genius_py.errors import DomainError, OptionError, UnknownName
from genius_py.tournament import DomainSource, Tournament, plan_tournament
from tests.tournament.tournaments import small

CONFIG = """\
protocol: SAOP
domains:
  - company_car
  - domain: own/domain.yaml
    profiles: [own/a.yaml, own/b.yaml]
parties: ["boulware:e=[0.1,0.2]", conceder]
deadline: 60rounds
repetitions: 3
seed: 5
self_play: true
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "tournament.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_says_it_all(tmp_path: Path) -> None:
    tournament = Tournament.read(write(tmp_path, CONFIG))
    assert tournament.protocols == ("alternating_offers",)
    assert tournament.parties == ("boulware:e=0.1", "boulware:e=0.2", "conceder")
    assert tournament.deadlines == (Deadline(rounds=60),)
    assert (tournament.repetitions, tournament.seed, tournament.self_play) == (3, 5, True)


def test_paths_are_relative_to_the_file(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    for name in ("domain", "a", "b"):
        (tmp_path / "own" / f"{name}.yaml").touch()
    _, own = Tournament.read(write(tmp_path, CONFIG)).domains
    folder = tmp_path / "own"
    assert own == DomainSource(
        str(folder / "domain.yaml"), (str(folder / "a.yaml"), str(folder / "b.yaml"))
    )


def test_plain_data_makes_an_equal_tournament() -> None:
    tournament = small(
        deadlines=["5rounds", "2s"],
        domains=["company_car", DomainSource("a.xml", ("b.xml", "c.xml"))],
        self_play=True,
        party_timeout=1.5,
    )
    assert Tournament.from_dict(tournament.to_dict()) == tournament


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("parties: [boulware]\n", "domains"),
        (f"{CONFIG}repetition: 3\n", "'repetitions'"),
        (f"{CONFIG}protocols: [SAOP]\n", "protocol"),
        (CONFIG.replace("seed: 5", "seed: five"), "seed"),
    ],
)
def test_a_wrong_key_or_value_is_named_with_its_place(
    tmp_path: Path, text: str, message: str
) -> None:
    with pytest.raises(DomainError, match=message) as caught:
        Tournament.read(write(tmp_path, text))
    assert caught.value.file == str(tmp_path / "tournament.yaml")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"repetitions": 0}, "repetitions"),
        ({"parties": []}, "parties"),
        ({"domains": ["company_car", "company_car"]}, "twice"),
        ({"party_timeout": 0}, "party_timeout"),
        ({"seating": "round"}, "seating"),
        ({"parties_b": ["random"]}, "enumeration"),
        ({"enumeration": "genius", "against": ["random"]}, "against"),
        ({"enumeration": "genius", "parties_b": ["random"]}, "go together"),
    ],
)
def test_an_impossible_setting_is_refused(settings: dict[str, object], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        small(**settings)


def test_an_unknown_party_is_refused_at_once() -> None:
    with pytest.raises(UnknownName, match="boulware"):
        small(parties=["boulwear"])


def test_a_mistake_is_found_before_anything_is_played(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="no option 'f'"):
        plan_tournament(small(parties=["boulware:f=1", "random"]))
    with pytest.raises(OptionError, match="asks a person"):
        plan_tournament(small(parties=["person", "random"]))
    with pytest.raises(OptionError, match="mediator"):
        plan_tournament(small(mediator="random"))
