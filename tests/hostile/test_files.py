"""Scenario files that are broken, huge or made to hurt: a `DomainError` with the file, no more."""

import json
import os
import re
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import yaml

from genius_py import formats
from genius_py.domain import Domain
from genius_py.errors import DomainError, GeniusError, GeniusWarning, OptionError
from genius_py.formats import files, json_text, xml_text, yaml_text
from genius_py.formats.scenario_data import scenario_from_dict, scenario_of
from genius_py.issue import DiscreteIssue, IntegerIssue, RealIssue
from genius_py.scenario import Scenario
from genius_py.utility import (
    AdditiveUtilitySpace,
    Aggregate,
    Condition,
    Constraint,
    ConstraintUtilitySpace,
    DiscreteEvaluator,
    HyperRectangle,
    HyperRectangleUtilitySpace,
    IntegerEvaluator,
    LinearUtilitySpace,
    RealLinearEvaluator,
    TableUtilitySpace,
    Total,
    UtilitySpace,
)
from tests.hostile.damage import GONE, parts, with_part

pytestmark = pytest.mark.filterwarnings("ignore::genius_py.errors.GeniusWarning")

STRANGE: list[Any] = [
    None, 0, -1, 2.5, True, "", "x", "a\0b", "../x", "1e5", [], {}, [1], {"a": {"b": 1}},
    1e308, -1e308, 10**30, 10**299, 10**310, float("nan"), float("inf"), "\ud800", GONE,
]  # fmt: skip


def additive() -> Scenario:
    domain = Domain(
        "mixed",
        [DiscreteIssue("c", ("red", "é")), IntegerIssue("n", 2, 5), RealIssue("r", 0.0, 2.0)],
    )
    space = AdditiveUtilitySpace(
        domain=domain,
        weights=[0.5, 0.3, 0.2],
        evaluators=[
            DiscreteEvaluator({"red": 1, "é": 0.5}),
            IntegerEvaluator(2, 0.2, 0.1),
            RealLinearEvaluator(0.4, 0.1),
        ],
    )
    return Scenario(domain, {"a": space})


def two_profiles() -> Scenario:
    domain = Domain("words", [DiscreteIssue("c", ("red", "é")), DiscreteIssue("d", ("1", "2"))])
    space = AdditiveUtilitySpace(
        domain=domain,
        weights=[0.5, 0.5],
        evaluators=[
            DiscreteEvaluator({"red": 1, "é": 0.5}),
            DiscreteEvaluator({"1": 0, "2": 1}),
        ],
        reservation_value=0.25,
    )
    return Scenario(domain, {"profileA": space, "profileB": space})


def boxes() -> Scenario:
    domain = Domain("boxes", [IntegerIssue("x", 0, 9), IntegerIssue("y", 0, 9)])
    inner = Aggregate("max", [HyperRectangle(1.0, {"x": (0, 0)})])
    outer = Aggregate("sum", [HyperRectangle(2.0, {"y": (0, 4)}, True, 0.5)], [inner])
    space = HyperRectangleUtilitySpace(domain=domain, aggregate=outer, max_utility=9.0)
    return Scenario(domain, {"a": space})


def constraints() -> Scenario:
    domain = Domain("rules", [DiscreteIssue("x", ("-1", "0")), DiscreteIssue("y", ("a", "b"))])
    space = ConstraintUtilitySpace(
        domain=domain,
        ranks={"x": {"-1": 1, "0": 2}, "y": {"a": 0, "b": 1}},
        constraints=[
            Constraint("x", [Condition("y", "is", ["a"])]),
            Constraint("y", [Condition("y", "contains", ["b"])], Total(["x"], 0, 1)),
        ],
    )
    return Scenario(domain, {"a": space})


def numbers() -> Scenario:
    domain = Domain("numbers", [IntegerIssue("x", 0, 3)])
    spaces: dict[str, UtilitySpace] = {
        "line": LinearUtilitySpace(domain=domain, coefficients=[1], scale=10, where={"x": 3}),
        "table": TableUtilitySpace(domain=domain, table=[0, 1, 2, 0.5]),
    }
    return Scenario(domain, spaces)


SAVED = [
    ("genius-xml", additive), ("genius-xml", boxes), ("genius-xml", constraints),
    ("geniusweb", additive), ("negolog", two_profiles), ("yaml", additive), ("yaml", boxes),
    ("yaml", constraints), ("yaml", numbers),
]  # fmt: skip


@pytest.fixture(params=SAVED, ids=[f"{name}-{make.__name__}" for name, make in SAVED])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    format, make = request.param
    formats.save(make(), tmp_path / "in", format)
    return tmp_path / "in"


def read_or_refuse(folder: Path) -> Scenario | None:
    """The scenario; None when it is refused as it should be."""
    try:
        return formats.load(folder)
    except DomainError as caught:
        error = caught
    assert error.file
    assert str(error).startswith(str(folder))
    assert len(str(error)) < 2000
    return None


def use(scenario: Scenario, out: Path) -> None:
    """Whatever could be read can be asked, and is written or refused."""
    with suppress(GeniusError):
        formats.scenario_to_dict(scenario)
    for space in scenario.profiles.values():
        with suppress(GeniusError):
            space.utility(scenario.domain.bid_at(0))
    for format in formats.FORMATS:
        with suppress(GeniusError):
            formats.save(scenario, out, format)


def test_a_file_that_was_cut_off_anywhere_is_refused_or_still_means_something(folder: Path) -> None:
    for file in sorted(folder.iterdir()):
        data = file.read_bytes()
        for length in range(0, len(data), 5):
            file.write_bytes(data[:length])
            read_or_refuse(folder)
        file.write_bytes(data)


def test_a_file_with_a_wrong_byte_is_refused_or_still_means_something(folder: Path) -> None:
    for file in sorted(folder.iterdir()):
        data = file.read_bytes()
        for place in range(0, len(data), 3):
            byte = b"\0\xff\"'{}[]<>&:,-/?!*#\\\n09e"[(place // 3) % 24]
            file.write_bytes(data[:place] + bytes([byte]) + data[place + 1 :])
            read_or_refuse(folder)
        file.write_bytes(data)


def test_a_value_of_another_type_is_refused_or_can_be_used(folder: Path, tmp_path: Path) -> None:
    for file in sorted(folder.glob("*.[jy]*")):
        text = file.read_text(encoding="utf-8")
        is_json = file.suffix == ".json"
        data = json.loads(text) if is_json else yaml.safe_load(text)
        paths = [path for path in parts(data) if path]
        for turn, part in enumerate(paths):
            for value in STRANGE[turn % 3 :: 3]:
                changed = with_part(data, part, value)
                # An escape is the only way in which half of a character comes into a file.
                written = json.dumps(changed) if is_json else _yaml_of(changed)
                file.write_text(written, encoding="utf-8")
                scenario = read_or_refuse(folder)
                if scenario is not None:
                    use(scenario, tmp_path / "out")
        file.write_text(text, encoding="utf-8")


def _yaml_of(data: Any) -> str:
    return json.dumps(data, ensure_ascii=True)  # which is YAML too


def test_an_attribute_of_another_type_is_refused_or_can_be_used(
    folder: Path, tmp_path: Path
) -> None:
    texts = ["", "x", "-1", "2.5", "1e308", "1e999", "NaN", "9" * 18, "9" * 30, "true", " 1 "]
    for file in sorted(folder.glob("*.xml")):
        text = file.read_text(encoding="utf-8")
        for turn, found in enumerate(re.finditer(r'(?<==")[^"]*(?=")', text)):
            for given in texts[turn % 2 :: 2]:
                file.write_text(text[: found.start()] + given + text[found.end() :])
                scenario = read_or_refuse(folder)
                if scenario is not None:
                    use(scenario, tmp_path / "out")
        file.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("suffix", [".json", ".xml", ".yaml"])
@pytest.mark.parametrize(
    "content",
    [
        b"", b"\xef\xbb\xbf", b"\0" * 50, b"\xff\xfe\0\0", b"\n\r\n", b"null", b"[]", b"{}", b"5",
        b"<a/>", b"[" * 100_000, b"{" * 100_000, b'{"a":' * 100_000, b"- " * 100_000,
        b"? " * 100_000, b"&a " * 10_000, b"<a>" * 100_000, b"<a " + b"b='c' " * 100_000,
        b"<!" * 100_000, b"<!--" * 100_000, b"<" * 500_000, b"%YAML 1.1\n" * 10_000,
        b"a: {min: 0, max: " + b"9" * 50_000 + b"}", b'"' + b"a" * 1_000_000,
    ],
    ids=repr,
)  # fmt: skip
def test_nonsense_is_refused_at_once(content: bytes, suffix: str, tmp_path: Path) -> None:
    (tmp_path / f"domain{suffix}").write_bytes(content)
    start = time.process_time()
    assert read_or_refuse(tmp_path) is None
    with pytest.raises(DomainError):
        formats.load(tmp_path / f"domain{suffix}")
    assert time.process_time() - start < 5


@pytest.mark.parametrize("suffix", [".json", ".xml", ".yaml"])
def test_a_file_that_is_too_large_is_not_even_read(suffix: str, tmp_path: Path) -> None:
    file = tmp_path / f"domain{suffix}"
    with file.open("wb") as stream:
        stream.truncate(files.MAX_BYTES + 1)  # takes no room on the disk
    with pytest.raises(DomainError, match=rf"domain{suffix}: is larger than \d\d MB"):
        formats.load(file)


def test_a_document_of_too_many_values_is_refused_with_its_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(json_text, "MOST_NODES", 3)
    monkeypatch.setattr(yaml_text, "MOST_NODES", 3)
    with pytest.raises(DomainError, match=r"^a:1:8: this is not JSON: expected at most 3 values"):
        json_text.parse_json("[1, 2, 3]", "a")
    with pytest.raises(DomainError, match=r"^a:1:8: there are more than 3 values"):
        yaml_text.parse_yaml("[1, 2, 3]", "a")


@pytest.mark.parametrize("profile", [True, False])
@pytest.mark.parametrize("name", ["domain.json", "domain.xml", "domain.yaml"])
def test_what_is_no_file_is_refused(name: str, profile: bool, tmp_path: Path) -> None:
    formats.save(two_profiles(), tmp_path / "good", "genius-xml")
    formats.save(two_profiles(), tmp_path / "good" / "scenario.yaml")
    domain = tmp_path / "good" / ("domain.xml" if name.endswith("xml") else "scenario.yaml")

    def load(path: Path) -> Scenario:
        return formats.load(domain, [path]) if profile else formats.load(path)

    (tmp_path / name).mkdir()
    (tmp_path / f"loop-{name}").symlink_to(tmp_path / f"loop-{name}")
    os.mkfifo(tmp_path / f"pipe-{name}")
    for path in (
        tmp_path / name,
        tmp_path / f"loop-{name}",
        tmp_path / f"pipe-{name}",
        tmp_path / f"none-{name}",
        tmp_path / f"a\0{name}",
        tmp_path / ("x" * 300 + name),
    ):
        with pytest.raises(GeniusError):  # whoever names no file may have meant a bundled one
            load(path)


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_file_that_may_not_be_read_is_refused(tmp_path: Path) -> None:
    formats.save(additive(), tmp_path / "scenario.yaml")
    (tmp_path / "scenario.yaml").chmod(0)
    with pytest.raises(DomainError, match="cannot be read: Permission denied"):
        formats.load(tmp_path / "scenario.yaml")


def test_what_lies_beside_the_files_of_a_folder_does_no_harm(folder: Path) -> None:
    read = formats.load(folder)
    os.mkfifo(folder / "pipe.xml")
    (folder / "loop.json").symlink_to(folder / "loop.json")
    (folder / "sub.yaml").mkdir()
    (folder / "notes.txt").write_bytes(b"\xff\0")
    assert formats.load(folder) == read


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_other_ways_to_save_xml_are_understood(
    encoding: str, line_end: str, tmp_path: Path
) -> None:
    formats.save(additive(), tmp_path, "genius-xml")
    file = tmp_path / "domain.xml"
    text = file.read_text(encoding="utf-8").partition("?>\n")[2]
    file.write_bytes(text.replace("\n", line_end).encode(encoding))
    assert formats.load(tmp_path) == additive()


@pytest.mark.parametrize("suffix", [".json", ".yaml"])
def test_a_byte_order_mark_and_other_line_ends_are_understood(suffix: str, tmp_path: Path) -> None:
    file = tmp_path / f"scenario{suffix}"
    formats.save(additive(), file)
    text = file.read_text(encoding="utf-8")
    file.write_bytes(text.replace("\n", "\r\n").encode("utf-8-sig"))
    assert formats.load(file) == additive()
    file.write_bytes(text.encode("utf-16"))
    with pytest.raises(DomainError, match=r"byte 0xff is not UTF-8"):
        formats.load(file)


@pytest.mark.parametrize(
    "encoding",
    [
        "foo",
        "base64",
        "big5",
        "gb2312",
        "idna",
        "punycode",
        "rot13",
        "undefined",
        "utf-7",
        "x" * 99,
    ],
)
def test_an_encoding_that_nobody_knows_does_no_harm(encoding: str, tmp_path: Path) -> None:
    formats.save(additive(), tmp_path, "genius-xml")
    file = tmp_path / "domain.xml"
    text = file.read_text(encoding="utf-8").replace("UTF-8", encoding)
    file.write_text(text, encoding="utf-8")
    with pytest.warns(GeniusWarning, match="an encoding that the parser does not know"):
        assert formats.load(tmp_path) == additive()


def test_an_encoding_of_the_far_east_is_understood(tmp_path: Path) -> None:
    (tmp_path / "domain.xml").write_bytes(
        '<?xml version="1.0" encoding="Big5"?><negotiation_template><utility_space>'
        '<objective index="0"><issue index="1" name="p"><item value="\u4e2d\u6587"/></issue>'
        "</objective></utility_space></negotiation_template>".encode("big5")
    )
    issue = formats.load(tmp_path / "domain.xml").domain.issues[0]
    assert issue.value_at(0) == "\u4e2d\u6587"


@pytest.mark.parametrize("bound", [10**300 + 1, 10**399, -(10**399), 10**5000], ids=range(4))
def test_a_bound_that_no_float_reaches_is_refused(bound: int) -> None:
    with pytest.raises(DomainError, match="more than 300 digits"):
        IntegerIssue("n", min(0, bound), max(0, bound))


@pytest.mark.parametrize("digits", [300, 399, 401, 5000])
def test_a_number_of_too_many_digits_is_refused_with_its_place(digits: int) -> None:
    text = f"issues:\n  n: {{min: 0, max: 1{'0' * digits}}}\nprofiles: {{}}\n"
    if digits == 300:
        scenario = scenario_of(yaml_text.parse_yaml(text))
        assert scenario.domain.size == 10**300 + 1
        return
    with pytest.raises(DomainError, match=r"^f:2:20: issues.n.max: expected a whole number"):
        scenario_of(yaml_text.parse_yaml(text, "f"))


def test_a_range_of_reals_that_no_float_spans_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DomainError, match="further apart than any number says"):
        RealIssue("r", -1e308, 1e308)
    domain = Domain("wide", [RealIssue("r", -8e307, 8e307)])
    space = AdditiveUtilitySpace(
        domain=domain, weights=[1], evaluators=[RealLinearEvaluator(0.5, 0.5 / 8e307)]
    )
    for format in ("genius-xml", "geniusweb", "yaml"):
        formats.save(Scenario(domain, {"a": space}), tmp_path / format, format)
        assert formats.load(tmp_path / format).domain == domain


@pytest.mark.parametrize("format", formats.FORMATS)
@pytest.mark.parametrize("place", ["domain", "issue", "value", "role"])
def test_half_of_a_character_is_never_written(format: str, place: str, tmp_path: Path) -> None:
    bad = {place: "a\ud800b"}
    name, value = bad.get("issue", "issue"), bad.get("value", "value")
    domain = Domain(bad.get("domain", "domain"), [DiscreteIssue(name, [value, "other"])])
    space = AdditiveUtilitySpace(
        domain=domain, weights=[1], evaluators=[DiscreteEvaluator({value: 1, "other": 0})]
    )
    scenario = Scenario(domain, {bad.get("role", "profileA"): space, "profileB": space})
    if (format, place) in (("geniusweb", "domain"), ("negolog", "role")):
        return  # names that the format does not have
    with pytest.raises(DomainError, match=r"half of a character|cannot hold the char|name of a f"):
        formats.save(scenario, tmp_path / "out", format)
    assert not (tmp_path / "out").exists() or not list((tmp_path / "out").iterdir())


@pytest.mark.parametrize("role", ["\0", "a/b", "..", "a\nb", "x" * 300])
@pytest.mark.parametrize("format", ["genius-xml", "geniusweb"])
def test_a_profile_whose_name_can_be_no_file_is_refused(
    format: str, role: str, tmp_path: Path
) -> None:
    space = two_profiles().profile("profileA")
    with pytest.raises(DomainError, match="cannot be the name of a file; rename the profile"):
        formats.save(Scenario(space.domain, {role: space}), tmp_path / "out", format)


def test_a_profile_that_names_no_file_is_refused(tmp_path: Path) -> None:
    for name in ("a\\0b", "none.yaml", "x" * 300):
        (tmp_path / "scenario.yaml").write_text(f'issues: {{c: [red]}}\nprofiles: {{a: "{name}"}}')
        with pytest.raises(DomainError, match=r"scenario.yaml:2:15: .* is not the name of a file"):
            formats.load(tmp_path)


@pytest.mark.parametrize("name", ["out.yaml", "out.json", "out"])
def test_what_cannot_be_written_is_an_error_of_ours(name: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file" / name, tmp_path / f"a\0{name}", tmp_path / ("x" * 300 + name)):
        with pytest.raises((DomainError, OptionError)):
            formats.save(additive(), path, "yaml")


def test_numbers_that_json_cannot_hold_are_refused(tmp_path: Path) -> None:
    domain = Domain("d", [DiscreteIssue("c", ("red", "blue"))])
    space = AdditiveUtilitySpace(
        domain=domain, weights=[1], evaluators=[DiscreteEvaluator({"red": -1e308, "blue": 0.5})]
    )
    with pytest.raises(DomainError, match="JSON cannot hold this: Out of range float values"):
        formats.save(Scenario(domain, {"a": space, "b": space}), tmp_path, "negolog")


def test_data_nested_without_end_are_refused() -> None:
    data: Any = []
    for _ in range(5000):
        data = [data]
    with pytest.raises(DomainError, match="nested deeper than 100 levels"):
        scenario_from_dict({"issues": data})


def test_a_name_among_very_many_is_missed_in_one_short_sentence() -> None:
    issues: dict[str, object] = {f"issue {i}": ["a"] for i in range(3000)}
    weights: dict[str, object] = {**dict.fromkeys(issues, 1), "x" * 5000: 1}
    profile: dict[str, object] = {"weights": weights, "evaluations": {}}
    with pytest.raises(DomainError, match="and 2990 more") as caught:
        scenario_from_dict({"issues": issues, "profiles": {"a": profile}})
    assert len(str(caught.value)) < 400


def in_format(format: str, issues: int, values: int, folder: Path) -> None:
    domain = Domain(
        "large",
        [DiscreteIssue(f"i{n}", tuple(f"v{m}" for m in range(values))) for n in range(issues)],
    )
    worth = DiscreteEvaluator({f"v{m}": m / values for m in range(values)})
    space = AdditiveUtilitySpace(
        domain=domain, weights=[1 / issues] * issues, evaluators=[worth] * issues
    )
    formats.save(Scenario(domain, {"profileA": space, "profileB": space}), folder, format)


@pytest.mark.parametrize("format", formats.FORMATS)
@pytest.mark.parametrize("shape", ["issues", "values"])
def test_the_time_to_load_grows_as_the_file_does(format: str, shape: str, tmp_path: Path) -> None:
    def seconds(size: int) -> float:
        folder = tmp_path / str(size)
        in_format(
            format, size if shape == "issues" else 1, 2 if shape == "issues" else size, folder
        )
        spent = []
        for _ in range(3):  # the least: whatever else happens meanwhile only adds
            start = time.process_time()
            formats.load(folder)
            spent.append(time.process_time() - start)
        return min(spent)

    # Eight times as much; were the time to grow as the square it would take 64 times as long.
    assert seconds(2000) < 30 * seconds(250)


def test_a_domain_of_so_many_issues_that_its_size_has_no_digits_can_be_shown() -> None:
    domain = Domain("vast", [DiscreteIssue(f"i{n}", ("a", "b", "c")) for n in range(20_000)])
    assert str(domain) == "vast (20000 issues, about 10^9542 bids)"


def test_the_limit_of_xml_is_that_of_its_files(tmp_path: Path) -> None:
    file = tmp_path / "domain.xml"
    with file.open("wb") as stream:
        stream.truncate(xml_text.MAX_BYTES + 1)
    with pytest.raises(DomainError, match="is larger than 16 MB"):
        formats.load(file)
