"""From names to classes, and from specs to objects."""

from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from genius_py import registry
from genius_py.errors import GeniusWarning, OptionError, UnknownName
from genius_py.parties.boulware import Boulware
from genius_py.party import NegotiationParty
from genius_py.protocols.alternating_offers import StackedAlternatingOffersProtocol
from genius_py.registry import KINDS, Spec, class_of, find, make, names

AGENT = '''
from genius_py.party import NegotiationParty

LOADED = []
LOADED.append(1)


class Mine(NegotiationParty):
    """A party in a loose file."""

    name = "mine"

    def __init__(self, e=1.0, where="here"):
        self.e, self.where = e, where


def factory():
    return Mine()
'''


@pytest.fixture
def agent(tmp_path: Path) -> Path:
    file = tmp_path / "my agent.py"
    file.write_text(AGENT)
    return file


class TestSpecs:
    """How a person writes a name with options."""

    @pytest.mark.parametrize(
        ("text", "target", "options"),
        [
            ("boulware", "boulware", {}),
            (" boulware ", "boulware", {}),
            ("boulware:", "boulware", {}),
            ("boulware:e=0.1", "boulware", {"e": 0.1}),
            ("a:k=1,name=x y", "a", {"k": 1, "name": "x y"}),
            ("a:on=true,off=False,no=none", "a", {"on": True, "off": False, "no": None}),
            ("a:weights=[1, 2, 3],b=(4,5)", "a", {"weights": [1, 2, 3], "b": (4, 5)}),
            ("a:text='1'", "a", {"text": "1"}),
            ("a:path=C:/x=y", "a", {"path": "C:/x=y"}),
            ("agent.py:Mine", "agent.py:Mine", {}),
            ("boulware: e = 0.1, k = 0", "boulware", {"e": 0.1, "k": 0}),
            ("agent.py:Mine:e=2", "agent.py:Mine", {"e": 2}),
            ("my.package:Mine:e=2,f=3", "my.package:Mine", {"e": 2, "f": 3}),
            (r"C:\agents\mine.py:Mine:e=2", r"C:\agents\mine.py:Mine", {"e": 2}),
        ],
    )
    def test_specs_are_read(self, text: str, target: str, options: dict[str, object]) -> None:
        assert Spec.parse(text) == Spec(target, options)

    @pytest.mark.parametrize(
        "text", ["boulware:e=0.1", "a.py:Mine:e=2,f=x", "boulware", "llm:model='7',style=bare"]
    )
    def test_specs_print_as_they_are_written(self, text: str) -> None:
        assert str(Spec.parse(text)) == text

    @pytest.mark.parametrize("text", ["boulware:e=0.1,fast", "boulware:e=1,2=3", "a:e=1,=3"])
    def test_what_is_no_option_is_refused(self, text: str) -> None:
        with pytest.raises(OptionError, match="is not an option; write NAME:key=value,key=value"):
            Spec.parse(text)

    def test_an_option_that_is_given_twice_is_refused(self) -> None:
        with pytest.raises(OptionError, match="gives e twice; give it once"):
            Spec.parse("boulware:e=1,k=0,e=2")


class TestFind:
    """The class of a name."""

    @pytest.mark.parametrize(
        "name",
        [
            "SAOP",
            "saop",
            "alternating_offers",
            "Alternating-Offers",
            "alternating offers",
            "StackedAlternatingOffersProtocol",
            "genius.core.protocol.StackedAlternatingOffersProtocol",
        ],
    )
    def test_names_are_forgiving(self, name: str) -> None:
        assert find("protocol", name) is StackedAlternatingOffersProtocol

    @pytest.mark.parametrize(
        ("kind", "name", "hint"),
        [
            ("protocol", "SOAP", "Did you mean 'SAOP'"),
            ("party", "boulwear", "Did you mean 'boulware'"),
            ("party", "bolware", r"Did you mean 'boulware'\?"),
            ("party", "xyzzy", "See: genius-py list parties."),
            ("protocol", "xyzzy", "See: genius-py list protocols."),
            ("party", "", "No party is named ''"),
        ],
    )
    def test_a_wrong_name_says_which_are_near(self, kind: str, name: str, hint: str) -> None:
        with pytest.raises(UnknownName, match=hint):
            find(kind, name)

    @pytest.mark.parametrize(
        ("kind", "name", "hint"),
        [
            ("party", "SAOP", "No party is named 'SAOP', but a protocol is."),
            ("protocol", "boulware", "No protocol is named 'boulware', but a party is."),
            ("protocol", "company-car", "No protocol is named 'company-car', but a domain is."),
            ("party", "my agent.py", "For a class in the file write my agent.py:Mine."),
            ("party", "my agent", "For a class in the file write my agent.py:Mine."),
            ("party", "boulware!", "No party is named 'boulware!'. Did you mean 'boulware'"),
            ("party", ":Mine", "':Mine' names no place; write path/to/file.py:Class"),
            ("party", "boulware,conceder", "name one at a time, and options as NAME:key=value"),
            ("party", "boulware conceder", "name one at a time"),
            ("party", "boulware:0.1", "'0.1' is no option of 'boulware'; write boulware:key=value"),
            ("party", "boulware:e:1", "'e:1' is no option .* with a key of: e, k, search"),
        ],
    )
    def test_what_was_meant_otherwise_is_told(
        self, agent: Path, monkeypatch: pytest.MonkeyPatch, kind: str, name: str, hint: str
    ) -> None:
        monkeypatch.chdir(agent.parent)
        with pytest.raises(UnknownName, match=hint):
            find(kind, name)

    def test_a_class_in_a_loose_file(self, agent: Path) -> None:
        mine = find("party", f"{agent}:Mine")
        assert issubclass(mine, NegotiationParty)
        assert mine is find("party", f"{agent}:Mine")  # the file is loaded once
        assert mine is find("party", f"{agent.parent}/../{agent.parent.name}/{agent.name}:Mine")

    def test_a_class_in_a_module(self) -> None:
        assert find("party", "genius_py.parties.boulware:Boulware") is Boulware

    @pytest.mark.parametrize(
        ("name", "words"),
        [
            ("{file}:Mind", "has no class 'Mind'. Did you mean 'Mine'"),
            ("{file}:Xyzzy", "has no class 'Xyzzy'. Check its spelling"),
            ("{file}:factory", "is not a class, so it cannot be a party"),
            ("{folder}/nowhere.py:Mine", "There is no file"),
            ("no.such.module:Mine", "There is no module 'no.such.module'"),
        ],
    )
    def test_a_place_that_is_wrong_is_named(self, agent: Path, name: str, words: str) -> None:
        with pytest.raises(UnknownName, match=words):
            find("party", name.format(file=agent, folder=agent.parent))

    def test_a_file_that_breaks_is_not_half_loaded(self, tmp_path: Path) -> None:
        file = tmp_path / "broken.py"
        file.write_text("class Mine:\n    pass\n1 / 0\n")
        for _ in range(2):
            with pytest.raises(UnknownName, match=r"ZeroDivisionError: .*broken.py, line 3"):
                find("party", f"{file}:Mine")

    @pytest.mark.parametrize(
        ("line", "told"),
        [
            ("import sys; sys.exit(0)", "SystemExit: 0"),
            ("raise BaseException('no')", "BaseException: no"),
            ("raise GeneratorExit", "GeneratorExit"),
        ],
    )
    def test_a_file_that_leaves_is_named(self, tmp_path: Path, line: str, told: str) -> None:
        (tmp_path / "leaving.py").write_text(f"\n{line}\n", encoding="utf-8")
        with pytest.raises(UnknownName, match=rf"cannot be imported: {told}.*\(leaving.py, line 2"):
            find("party", f"{tmp_path / 'leaving.py'}:Mine")

    def test_ctrl_c_is_nobodys_mistake(self, tmp_path: Path) -> None:
        (tmp_path / "slow.py").write_text("raise KeyboardInterrupt", encoding="utf-8")
        with pytest.raises(KeyboardInterrupt):
            find("party", f"{tmp_path / 'slow.py'}:Mine")

    def test_finding_a_built_in_imports_no_other_module(self) -> None:
        # The module that bears the name is tried first; see test_imports for the whole program.
        first = next(registry._candidates("party", "boulware"))
        assert first is Boulware

    def test_a_spec_names_its_class_whatever_its_options(self, agent: Path) -> None:
        assert class_of("party", "boulware:e=0.1") is class_of("party", "boulware") is Boulware
        place = f"{agent}:Mine"
        assert class_of("party", f"{place}:e=0.5") is find("party", place)


class TestMake:
    """A fresh object from a spec."""

    def test_options_reach_the_constructor(self, agent: Path) -> None:
        made = make("party", f"{agent}:Mine:e=0.5,where=there")
        assert (made.e, made.where) == (0.5, "there")
        assert make("party", Spec(f"{agent}:Mine", {"e": 3})).e == 3

    def test_each_object_is_fresh(self) -> None:
        assert make("protocol", "SAOP") is not make("protocol", "SAOP")

    def test_an_option_that_there_is_not_is_named(self) -> None:
        with pytest.raises(
            OptionError, match="has no option 'speed'; its options are: e, k, search"
        ):
            make("party", "boulware:speed=3")

    @pytest.mark.parametrize(
        ("kind", "spec", "told"),
        [
            ("party", "boulware:e=fast", "'e' of 'boulware' must be a finite number, not 'fast'"),
            ("party", "boulware:e=true", "must be a finite number, not True"),
            ("party", "boulware:e=1e999", "must be a finite number, not inf"),
            ("party", f"boulware:e=1{'0' * 400}", "must be a finite number, not 10000"),
            ("party", "boulware:search=best", "must be at_or_above or genius, not 'best'"),
            ("party", "llm:model=7", "must be text, not 7; for text write model='7'"),
            ("party", "llm:reasoning=0.5", "must be a whole number, not 0.5"),
            ("party", "boa:offering=-1", "must be text, not -1"),
            ("party", "constant:move=[1]", "must be text or a finite number or none, not .1."),
            ("protocol", "SAOP:finish_round=maybe", "must be true or false, not 'maybe'"),
            ("protocol", "SAOP:finish_round=1", "must be true or false, not 1"),
            ("protocol", "english_auction:reserve=high", "must be a finite number or none"),
            ("protocol", "normal_form:rounds=yes", "must be a whole number, not 'yes'"),
        ],
    )
    def test_an_option_of_another_type_is_refused(self, kind: str, spec: str, told: str) -> None:
        with pytest.raises(OptionError, match=told):
            make(kind, spec)

    def test_numbers_of_other_libraries_are_numbers(self) -> None:
        options = {"e": np.float64(0.5), "k": np.int64(0)}
        assert isinstance(make("party", Spec("boulware", options)), Boulware)

    def test_what_types_cannot_say_is_left_to_the_class(self, tmp_path: Path) -> None:
        (tmp_path / "odd.py").write_text(
            "from genius_py.testing import LegalParty\n"
            "class Odd(LegalParty):\n"
            "    def __init__(self, a: 'Unheard' = 1, b=2):\n"
            "        self.got = a, b\n",
            encoding="utf-8",
        )
        assert make("party", f"{tmp_path / 'odd.py'}:Odd:a=x,b=[1]").got == ("x", [1])

    def test_what_a_protocol_leaves_out_is_named_with_the_base_that_has_it(
        self, tmp_path: Path
    ) -> None:
        file = tmp_path / "half.py"
        file.write_text(
            "from genius_py.protocol import MultilateralProtocol\n"
            "class Half(MultilateralProtocol):\n    pass\n"
        )
        with pytest.raises(OptionError, match=r"has no after_session, .*DefaultMultilateral"):
            make("protocol", f"{file}:Half")


class TestNames:
    """Every registered name."""

    @pytest.mark.parametrize("kind", KINDS)
    def test_names_are_sorted_and_those_of_their_classes(self, kind: str) -> None:
        found = names(kind)
        assert list(found) == sorted(found)
        for name, cls in found.items():
            assert cls.name == name
            assert find(kind, name) is cls

    @pytest.mark.parametrize("kind", KINDS)
    def test_every_name_finds_its_class(self, kind: str) -> None:
        for cls in names(kind).values():
            for label in (cls.name, *cls.aliases):
                assert find(kind, label) is cls

    @pytest.mark.parametrize("kind", KINDS)
    def test_no_two_classes_share_a_name(self, kind: str) -> None:
        taken: dict[str, type[Any]] = {}
        for cls in names(kind).values():
            for label in {registry._plain(known) for known in (cls.name, *cls.aliases)}:
                assert taken.setdefault(label, cls) is cls, f"{label} means two things"

    def test_bases_and_imported_classes_are_no_plug_ins(self) -> None:
        registered = set(names("protocol").values())
        assert all(cls.__dict__.get("name") for cls in registered)
        assert len(registered) == len(names("protocol"))

    def test_other_packages_register_by_entry_points(self, monkeypatch: pytest.MonkeyPatch) -> None:
        place = f"{__name__}:Foreign"
        entry = EntryPoint("foreign", place, KINDS["party"])
        monkeypatch.setattr(EntryPoint, "load", lambda self: Foreign)
        monkeypatch.setattr(
            "importlib.metadata.entry_points",
            lambda group: [entry] if group == KINDS["party"] else [],
        )
        assert names("party")["foreign"] is Foreign
        assert find("party", "stranger") is Foreign
        assert isinstance(make("party", "foreign"), Foreign)

    @pytest.mark.parametrize("error", [ImportError("no torch"), SystemExit(3)])
    def test_another_package_that_breaks_is_left_out_with_a_warning(
        self, monkeypatch: pytest.MonkeyPatch, error: BaseException
    ) -> None:
        def load(self: EntryPoint) -> object:
            raise error

        entry = EntryPoint("foreign", "broken:Foreign", KINDS["party"])
        monkeypatch.setattr(EntryPoint, "load", load)
        monkeypatch.setattr("importlib.metadata.entry_points", lambda group: [entry])
        told = rf"broken:Foreign cannot be imported: {type(error).__name__}.*'foreign' is left out"
        with pytest.warns(GeniusWarning, match=told):
            assert "boulware" in names("party")


class Foreign(NegotiationParty):
    name: ClassVar[str] = "foreign"
    aliases: ClassVar[tuple[str, ...]] = ("stranger",)
