"""What a tournament is: the settings of a configuration file, as one value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal, TypeAlias

import attrs

from genius_py.deadline import Deadline
from genius_py.errors import OptionError
from genius_py.fault import FaultPolicy
from genius_py.formats import bundled_names
from genius_py.formats.files import document
from genius_py.formats.node import Node, node_of
from genius_py.tournament.lineups import Seating
from genius_py.tournament.sweep import canonical, expanded

__all__ = ["DomainSource", "Enumeration", "Tournament"]

Enumeration: TypeAlias = Literal["round_robin", "genius"]


def _names(given: Iterable[str]) -> tuple[str, ...]:
    return tuple(given)


@attrs.frozen
class DomainSource:
    """What is negotiated about, as ``--domain`` and ``--profile`` name it."""

    domain: str
    profiles: tuple[str, ...] = attrs.field(default=(), converter=_names)

    @property
    def is_drawn(self) -> bool:
        """Whether each repetition has a random scenario of its own."""
        head, _, options = self.domain.partition(":")
        keys = {option.partition("=")[0].strip() for option in options.split(",")}
        return head.strip() == "random" and "seed" not in keys

    def __str__(self) -> str:
        return "+".join((self.domain, *self.profiles))


def _sources(given: str | DomainSource | Iterable[str | DomainSource]) -> tuple[DomainSource, ...]:
    several = [given] if isinstance(given, (str, DomainSource)) else given
    return tuple(DomainSource(one) if isinstance(one, str) else one for one in several)


def _specs(kind: str, given: str | Iterable[str]) -> tuple[str, ...]:
    several = [given] if isinstance(given, str) else given
    specs = [canonical(kind, spec) for one in several for spec in expanded(one)]
    return tuple(dict.fromkeys(specs))


def _parties(given: str | Iterable[str]) -> tuple[str, ...]:
    return _specs("party", given)


def _protocols(given: str | Iterable[str]) -> tuple[str, ...]:
    return _specs("protocol", given)


def _party(given: str | None) -> str | None:
    return None if given is None else canonical("party", given)


def _deadlines(
    given: str | int | Deadline | Iterable[str | int | Deadline] | None,
) -> tuple[Deadline, ...]:
    if given is None:
        return ()
    several = [given] if isinstance(given, (str, int, Deadline)) else given
    return tuple(Deadline.parse(one) for one in several)


@attrs.frozen(kw_only=True)
class Tournament:
    """Parties x domains x profiles x deadlines x protocols x repetitions, and how they meet.

    `parties`, `protocols` and `against` are specs; an option that lists values
    (``boulware:e=[0.1,0.2]``) stands for a spec each. With `against`, each of `parties` meets only
    those. `seats` is how many sit at a table, and unless given every profile of a domain has a
    seat; `seating` says how those who meet are put there. `profiles` names the roles that take
    part, all unless given. Without `deadlines` the domain's own counts, or 60 rounds.

    ``enumeration="genius"`` lists the sessions as Java Genius does: `self_play` is then its
    repetition, and `parties_b` and `profiles_b` are the lists for the second of two sides.

    Raises:
        UnknownName: a protocol or party is not known.
        OptionError: a setting is impossible.
    """

    parties: tuple[str, ...] = attrs.field(converter=_parties)
    domains: tuple[DomainSource, ...] = attrs.field(converter=_sources)
    protocols: tuple[str, ...] = attrs.field(default=("alternating_offers",), converter=_protocols)
    against: tuple[str, ...] = attrs.field(default=(), converter=_parties)
    deadlines: tuple[Deadline, ...] = attrs.field(default=(), converter=_deadlines)
    repetitions: int = 1
    seed: int = 0
    seats: int | None = None
    self_play: bool = False
    seating: Seating = "rotated"
    profiles: tuple[str, ...] = attrs.field(default=(), converter=_names)
    mediator: str | None = attrs.field(default=None, converter=_party)
    enumeration: Enumeration = "round_robin"
    parties_b: tuple[str, ...] = attrs.field(default=(), converter=_parties)
    profiles_b: tuple[str, ...] = attrs.field(default=(), converter=_names)
    faithful: bool = False
    retries: int = 0
    on_fault: FaultPolicy = "fail"
    party_timeout: float | None = None

    def __attrs_post_init__(self) -> None:
        for what in ("parties", "domains", "protocols"):
            if not getattr(self, what):
                raise OptionError(f"A tournament needs {what}; name at least one.")
        for what, number, least in (
            ("repetitions", self.repetitions, 1),
            ("seats", 2 if self.seats is None else self.seats, 1),
            ("seed", self.seed, 0),
            ("retries", self.retries, 0),
        ):
            if number < least:
                raise OptionError(f"{what} must be {least} or more, not {number}.")
        if self.party_timeout is not None and not self.party_timeout > 0:
            raise OptionError(f"party_timeout must be above 0 seconds, not {self.party_timeout}.")
        for what, chosen, possible in (
            ("seating", self.seating, ("rotated", "all", "fixed")),
            ("enumeration", self.enumeration, ("round_robin", "genius")),
            ("on_fault", self.on_fault, ("fail", "forfeit")),
        ):
            if chosen not in possible:
                raise OptionError(f"{what} is {' or '.join(possible)}, not {chosen!r}.")
        labels = [str(domain) for domain in self.domains]
        if len(set(labels)) < len(labels):
            raise OptionError(f"A domain is named twice among {', '.join(labels)}.")
        self._require_consistent_enumeration()

    def _require_consistent_enumeration(self) -> None:
        if self.enumeration == "genius":
            if self.against or self.seating != "rotated":
                raise OptionError("Genius's enumeration knows no 'against' and no 'seating'.")
            if bool(self.parties_b) != bool(self.profiles_b):
                raise OptionError("parties_b and profiles_b go together; name both or none.")
        elif self.parties_b or self.profiles_b:
            raise OptionError("parties_b and profiles_b need enumeration: genius.")

    @classmethod
    def read(cls, path: str | Path) -> Tournament:
        """The tournament of a YAML or JSON file; its paths are relative to the file's folder.

        Raises:
            DomainError: the file cannot be read, or has a wrong key or value; the text says where.
            UnknownName, OptionError: as for the class.
        """
        path = Path(path)
        return cls._of(document(path), path.parent)

    @classmethod
    def from_dict(cls, data: Mapping[str, object]) -> Tournament:
        """The tournament of plain data in the form of a file, as `to_dict` gives it."""
        return cls._of(node_of(data), Path())

    @classmethod
    def _of(cls, node: Node, folder: Path) -> Tournament:
        optional = set(_READERS) - {"parties", "domains"}
        entries = node.mapping(("parties", "domains"), sorted(optional))
        settings = {}
        for key, entry in entries.items():
            field = _PLURALS.get(key, key)
            if field in settings:
                raise entry.error(f"{key!r} and its plural say the same; leave one of them out.")
            settings[field] = _READERS[key](entry, folder)
        return cls(**settings)

    def to_dict(self) -> dict[str, object]:
        """Plain data that JSON can hold; `from_dict` makes an equal tournament of it."""
        data = attrs.asdict(self, recurse=False)
        data["domains"] = [
            {"domain": source.domain, "profiles": list(source.profiles)}
            if source.profiles
            else source.domain
            for source in self.domains
        ]
        data["deadlines"] = [str(deadline) for deadline in self.deadlines]
        defaults = {field.name: field.default for field in attrs.fields(Tournament)}
        return {
            key: list(value) if isinstance(value, tuple) else value
            for key, value in data.items()
            if value != defaults[key] and value != []
        }


def _texts(node: Node, _: Path) -> list[str]:
    return (
        [item.text() for item in node.items()] if isinstance(node.content, list) else [node.text()]
    )


def _located(text: str, folder: Path) -> str:
    """The text, or the path that it means as seen from the folder."""
    name, colon, rest = text.partition(".py:")
    file = f"{name}.py" if colon else text
    if text not in bundled_names() and not Path(file).is_absolute() and (folder / file).exists():
        return f"{folder / file}:{rest}" if colon else str(folder / file)
    return text


def _read_specs(node: Node, folder: Path) -> list[str]:
    return [_located(spec, folder) for spec in _texts(node, folder)]


def _read_domains(node: Node, folder: Path) -> list[DomainSource]:
    found = []
    for item in node.items() if isinstance(node.content, list) else [node]:
        if isinstance(item.content, dict):
            entries = item.mapping(("domain",), ("profiles",))
            profiles = _texts(entries["profiles"], folder) if "profiles" in entries else []
            domain = entries["domain"].text()
        else:
            domain, profiles = item.text(), []
        found.append(
            DomainSource(_located(domain, folder), [_located(file, folder) for file in profiles])
        )
    return found


_PLURALS = {"protocol": "protocols", "deadline": "deadlines"}

_READERS: Mapping[str, Any] = {
    "parties": _read_specs,
    "domains": _read_domains,
    "protocol": _read_specs,
    "protocols": _read_specs,
    "against": _read_specs,
    "deadline": _texts,
    "deadlines": _texts,
    "repetitions": lambda node, _: node.whole(),
    "seed": lambda node, _: node.whole(),
    "seats": lambda node, _: node.whole(),
    "self_play": lambda node, _: node.truth(),
    "seating": lambda node, _: node.choice("seating", ("rotated", "all", "fixed")),
    "profiles": _texts,
    "mediator": lambda node, folder: _located(node.text(), folder),
    "enumeration": lambda node, _: node.choice("enumeration", ("round_robin", "genius")),
    "parties_b": _read_specs,
    "profiles_b": _texts,
    "faithful": lambda node, _: node.truth(),
    "retries": lambda node, _: node.whole(),
    "on_fault": lambda node, _: node.choice("policy", ("fail", "forfeit")),
    "party_timeout": lambda node, _: node.number(),
}
"""How each key of a configuration file is read; the keys are the fields of `Tournament`, and the
singular of two of them."""
