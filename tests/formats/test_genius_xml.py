import warnings
from pathlib import Path

import pytest
from hypothesis import given, reject

from genius_py.domain import Domain
from genius_py.errors import DomainError, GeniusWarning
from genius_py.formats.genius_xml import (
    GeniusDomain,
    losses,
    read_domain,
    read_folder,
    read_genius_domain,
    read_profile,
    read_scenario,
    recognises,
    write_domain,
    write_profile,
    write_scenario,
)
from genius_py.issue import DiscreteIssue, IntegerIssue, TextIssue
from genius_py.scenario import Scenario
from genius_py.utility import (
    AdditiveUtilitySpace,
    DiscreteEvaluator,
    LinearUtilitySpace,
    UtilitySpace,
)
from tests.formats.strategies import plain_scenarios


def domain(*values: str, name: str = "issue") -> str:
    items = "".join(f'<item value="{value}"/>' for value in values)
    return (
        f'<negotiation_template>%s<utility_space><objective index="0">'
        f'<issue index="4" name="{name}">{items}</issue></objective></utility_space>'
        "</negotiation_template>"
    )


def profile(**evaluations: int) -> str:
    items = "".join(f'<item value="{v}" evaluation="{e}"/>' for v, e in evaluations.items())
    return (
        f'<utility_space><objective index="0"><issue index="4" name="issue">{items}</issue>'
        '<weight index="4" value="1"/></objective></utility_space>'
    )


def files(folder: Path, **contents: str) -> Path:
    folder.mkdir(exist_ok=True)
    for name, content in contents.items():
        (folder / f"{name}.xml").write_text(content.replace("%s", ""), encoding="utf-8")
    return folder


DOMAIN = Domain("any", [DiscreteIssue("issue", ["a", "b"])])


def space(**evaluations: float) -> UtilitySpace:
    return AdditiveUtilitySpace(
        domain=DOMAIN, weights=[1], evaluators=[DiscreteEvaluator(evaluations)]
    )


def test_a_file_is_recognised_by_its_name() -> None:
    assert recognises(Path("Domain.XML"))
    assert not recognises(Path("domain.yaml"))


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("laptop_domain", "laptop"),
        ("Car-A-domain", "Car-A"),
        ("Animal", "Animal"),
        ("NewDomain", "NewDomain"),
        ("Domain", "house"),
        ("_domain", "house"),
    ],
)
def test_a_domain_is_called_like_its_file_or_else_its_folder(
    tmp_path: Path, file: str, name: str
) -> None:
    folder = files(tmp_path / "house", **{file: domain("a")})
    assert read_domain(folder / f"{file}.xml").name == name


def test_a_profile_is_read_for_a_domain_with_numbers(tmp_path: Path) -> None:
    files(tmp_path, d=domain("a", "b"), p=profile(a=1, b=2))
    genius = read_genius_domain(tmp_path / "d.xml")
    assert genius == GeniusDomain(DOMAIN, (4,))
    assert read_profile(tmp_path / "p.xml", genius) == space(a=1, b=2)


def test_a_profile_is_read_by_names_for_a_domain_without_numbers(tmp_path: Path) -> None:
    files(tmp_path, p=profile(a=1, b=2))
    assert read_profile(tmp_path / "p.xml", DOMAIN) == space(a=1, b=2)


def test_issues_count_from_1_for_a_domain_without_numbers_and_other_names(tmp_path: Path) -> None:
    files(tmp_path, p=profile(a=1, b=2).replace('"4"', '"1"'))
    renamed = Domain("any", [DiscreteIssue("other", ["a", "b"])])
    with pytest.warns(GeniusWarning, match="called 'issue' here and 'other' in the domain"):
        assert read_profile(tmp_path / "p.xml", renamed).complaint == ""


# C04 of the known faults: one file escapes the ampersand, the other does not.
def test_a_bare_ampersand_is_the_same_value_as_an_escaped_one(tmp_path: Path) -> None:
    escaped = profile(a=1, b=2).replace('value="a"', 'value="Coffee &amp; Thee"')
    files(tmp_path, d=domain("Coffee & Thee", "b"), p=escaped)
    with pytest.warns(GeniusWarning, match=r"d\.xml:1:\d+: .*'&' that begins no entity"):
        genius = read_genius_domain(tmp_path / "d.xml")
    found = read_profile(tmp_path / "p.xml", genius)
    assert found.utility(genius.domain.bid(issue="Coffee & Thee")) == 0.5


def test_with_warnings_as_errors_only_well_formed_files_are_read(tmp_path: Path) -> None:
    files(tmp_path, d=domain("Coffee & Thee"))
    with warnings.catch_warnings():
        warnings.simplefilter("error", GeniusWarning)
        with pytest.raises(GeniusWarning, match=r"d\.xml:1:\d+: not well-formed"):
            read_domain(tmp_path / "d.xml")


# C03 of the known faults.
def test_a_domain_of_another_encoding_is_written_as_utf_8(tmp_path: Path) -> None:
    (tmp_path / "d.xml").write_bytes(
        domain("X10,000").replace("%s", "").encode().replace(b"X", b"\x80")
    )
    with pytest.warns(GeniusWarning, match="taken for Windows-1252"):
        read = read_domain(tmp_path / "d.xml")
    assert read.issues == (DiscreteIssue("issue", ["€10,000"]),)
    write_domain(read, tmp_path / "e.xml")
    assert "€10,000" in (tmp_path / "e.xml").read_text(encoding="utf-8")
    assert read_domain(tmp_path / "e.xml") == read


def test_a_domain_is_no_profile_and_a_profile_no_domain(tmp_path: Path) -> None:
    files(tmp_path, d=domain("a"), p=profile(a=1))
    with pytest.raises(DomainError, match="expected a profile, thus <utility_space>, found <neg"):
        read_profile(tmp_path / "d.xml", DOMAIN)
    with pytest.raises(DomainError, match="this is a profile and no domain"):
        read_domain(tmp_path / "p.xml")


def test_a_scenario_has_the_given_profiles_in_that_order(tmp_path: Path) -> None:
    files(tmp_path, d=domain("a", "b"), buyer=profile(a=1, b=2), seller=profile(a=2, b=1))
    given = [tmp_path / "seller.xml", tmp_path / "buyer.xml", tmp_path / "seller.xml"]
    scenario = read_scenario(tmp_path / "d.xml", given)
    assert scenario.roles == ("seller", "buyer", "seller@2")
    assert scenario.profile("seller@2") == space(a=2, b=1)
    assert read_scenario(tmp_path / "d.xml").roles == ()


# C20 of the known faults, and the lists of numbers that some folders have.
def test_a_folder_has_a_domain_its_profiles_and_other_files(tmp_path: Path) -> None:
    files(
        tmp_path,
        profile10=profile(a=1, b=2),
        profile2=profile(a=2, b=1),
        game=domain("a", "b"),
        pareto="\n0.75, 1.0\n",
        repository="<repository><repositem/></repository>",
    )
    (tmp_path / "._profile2.xml").write_bytes(b"\x00\x05\x16\x07")
    (tmp_path / ".DS_Store").write_bytes(b"\x00")
    (tmp_path / "notes.txt").write_text("&", encoding="utf-8")
    scenario = read_folder(tmp_path)
    assert scenario.name == "game"
    assert scenario.roles == ("profile2", "profile10")
    assert scenario.source == str(tmp_path)


def test_profiles_that_the_domain_mentions_come_first(tmp_path: Path) -> None:
    agents = '<agent utility_space="z.xml "/><agent utility_space="lost.xml"/><agent/>'
    folder = files(tmp_path, a=profile(a=1), b=profile(a=1), z=profile(a=1))
    (folder / "game.xml").write_text(domain("a").replace("%s", agents), encoding="utf-8")
    assert read_folder(folder).roles == ("z", "a", "b")


def test_a_profile_of_another_domain_is_left_out_with_a_warning(tmp_path: Path) -> None:
    files(tmp_path, game=domain("a", "b"), own=profile(a=1, b=1), foreign=profile(c=1, d=2))
    with pytest.warns(GeniusWarning, match=r"foreign\.xml:1:1: this profile shares no value"):
        assert read_folder(tmp_path).roles == ("own",)


def test_a_profile_of_boxes_belongs_to_the_domain_whose_issues_it_bounds(tmp_path: Path) -> None:
    template = '<issue index="4" name="x" type="integer" lowerbound="0" upperbound="9"/>'
    boxes = (
        '<utility_space type="nonlinear"><objective><utility maxutility="1">'
        '<ufun aggregation="sum"><hyperRectangle utility="1"><INCLUDES index="4" min="1" max="2"/>'
        "</hyperRectangle></ufun></utility></objective></utility_space>"
    )
    wrapped = f'<a><utility_space><objective index="0">{template}</objective></utility_space></a>'
    scenario = read_folder(files(tmp_path, game=wrapped, box=boxes))
    assert scenario.domain.issues == (IntegerIssue("x", 0, 9),)
    assert scenario.roles == ("box",)


def test_copies_of_one_domain_are_one_game(tmp_path: Path) -> None:
    files(tmp_path, game_a=domain("a"), game_b=domain("a"), p=profile(a=1))
    with pytest.warns(GeniusWarning, match=r"game_b\.xml is a domain too; game_a\.xml is used"):
        scenario = read_folder(tmp_path)
    assert (scenario.name, scenario.roles) == ("game_a", ("p",))


def test_of_several_domains_the_one_with_profiles_is_used(tmp_path: Path) -> None:
    files(tmp_path, bare=domain("a", "b", "c"), game=domain("a", "b"), p=profile(a=1, b=2))
    with pytest.warns(GeniusWarning, match=r"bare\.xml is a domain too; game\.xml is used"):
        assert read_folder(tmp_path).name == "game"


def test_a_folder_of_several_games_is_refused(tmp_path: Path) -> None:
    files(tmp_path, one=domain("a", "b"), two=domain("c", "d"))
    files(tmp_path, p=profile(a=1, b=2), q=profile(c=1, d=2))
    with pytest.raises(DomainError, match=r"more than one game .* \(one\.xml, two\.xml\)"):
        read_folder(tmp_path)


@pytest.mark.parametrize("names", [(), ("p",)])
def test_a_folder_without_a_domain_is_refused(tmp_path: Path, names: tuple[str, ...]) -> None:
    files(tmp_path, **dict.fromkeys(names, profile(a=1)))
    with pytest.raises(DomainError, match=r"expected a domain file.*found (no XML file|p\.xml)"):
        read_folder(tmp_path)


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DomainError, match="cannot be read: No such file or directory"):
        read_folder(tmp_path / "missing")


def test_a_folder_with_a_broken_profile_is_refused(tmp_path: Path) -> None:
    files(tmp_path, game=domain("a"), p=profile(a=1), q=profile(a=1)[:-5])
    with pytest.raises(DomainError, match=r"q\.xml:1:\d+: "):
        read_folder(tmp_path)


# C112 of the known faults: 10^40 outcomes.
def test_a_huge_domain_is_read_without_listing_it(tmp_path: Path) -> None:
    huge = Domain("huge", [IntegerIssue(f"i{i}", 0, 9) for i in range(40)])
    write_domain(huge, tmp_path / "huge.xml")
    read = read_domain(tmp_path / "huge.xml")
    assert read == huge
    assert read.size == 10**40


@pytest.mark.filterwarnings("ignore::genius_py.errors.GeniusWarning")
@given(scenario=plain_scenarios("dir"))
def test_a_scenario_that_is_written_is_read_again(
    scenario: Scenario, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("game")
    try:
        write_scenario(scenario, folder)
    except DomainError:  # control characters, or a role that no file can have
        assert not list(folder.iterdir())
        reject()
    read = read_folder(folder)
    assert read == scenario
    assert read.roles == scenario.roles
    assert losses(scenario) == []


def test_seats_keep_their_order_although_files_have_none(tmp_path: Path) -> None:
    scenario = Scenario(DOMAIN, {"z": space(a=1, b=2), "y": space(a=2, b=2), "x": space(a=2, b=1)})
    write_scenario(scenario, tmp_path)
    assert read_folder(tmp_path).roles == ("z", "y", "x")


def test_a_profile_that_is_written_is_read_again(tmp_path: Path) -> None:
    write_profile(space(a=0.1, b=0.3), tmp_path / "new" / "p.xml")
    assert read_profile(tmp_path / "new" / "p.xml", DOMAIN) == space(a=0.1, b=0.3)


@pytest.mark.parametrize(
    ("scenario", "reason"),
    [
        (Scenario(Domain("any", [TextIssue("scope")]), {}), "cannot hold 'scope'"),
        (
            Scenario(
                DOMAIN,
                {"a": space(a=1, b=1), "b": LinearUtilitySpace(domain=DOMAIN, coefficients=[0])},
            ),
            "it cannot hold a LinearUtilitySpace",
        ),
        (Scenario(DOMAIN, {"a/b": space(a=1, b=1)}), "'a/b' cannot be the name of a file"),
        (Scenario(DOMAIN, {"domain": space(a=1, b=1)}), "Two files would be called"),
    ],
)
def test_a_scenario_that_the_format_cannot_hold_is_refused_before_anything_is_written(
    tmp_path: Path, scenario: Scenario, reason: str
) -> None:
    with pytest.raises(DomainError, match=reason):
        losses(scenario)
    with pytest.raises(DomainError, match=reason):
        write_scenario(scenario, tmp_path / "game")
    assert not (tmp_path / "game").exists()
