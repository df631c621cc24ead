"""From names to the classes of protocols, parties and metrics, and from specs to objects.

A *spec* is how a person writes one on a command line::

    boulware    boulware:e=0.1,search=genius    my_agent.py:MyAgent    my.package:MyAgent:e=0.1

Built-ins are found by scanning the modules of their package (the module that bears the name is
tried first, so finding one does not import the others); other packages register classes under the
entry-point groups ``genius_py.protocols``, ``genius_py.parties`` and ``genius_py.metrics``.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import importlib.util
import inspect
import math
import os
import pkgutil
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from numbers import Integral, Real
from pathlib import Path
from types import ModuleType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import attrs

from genius_py.errors import GeniusWarning, OptionError, UnknownName

__all__ = ["KINDS", "Spec", "class_of", "find", "find_object", "make", "names", "plug_in_place"]

KINDS: Mapping[str, str] = {
    "metric": "genius_py.metrics",
    "party": "genius_py.parties",
    "protocol": "genius_py.protocols",
}
"""Each kind of plug-in and its package, which is also its entry-point group."""

_CONTRACTS: Mapping[str, str] = {
    "party": "genius_py.party:NegotiationParty",
    "protocol": "genius_py.protocol:MultilateralProtocol",
}
"""What a class named by its place must derive from; imported when one is."""

_COMPLETE_PROTOCOL = "genius_py.protocols.default.DefaultMultilateralProtocol"


_LOOSE = "_genius_py_"
"""What the names of modules begin with that were loaded from a file named by its place."""


@attrs.frozen
class Spec:
    """A name (or ``place:Class``) and the options to construct it with; prints as it was read.

    >>> Spec.parse("boulware:e=0.1,search=genius").options
    {'e': 0.1, 'search': 'genius'}
    """

    target: str
    options: Mapping[str, object] = attrs.field(factory=dict)

    @classmethod
    def parse(cls, text: str) -> Spec:
        """Read ``NAME``, ``NAME:key=value,...``, ``place:Class`` or ``place:Class:key=value,...``.

        Values are Python literals where they can be, else text; quotes make a text of any.

        Raises:
            OptionError: something among the options is not ``key=value``, or a key is there twice.
        """
        target, options = text.strip(), ""
        head, colon, tail = target.rpartition(":")
        # "C:\agents\mine.py:Mine" holds colons too; only what has a "=" behind it is options.
        match = re.search(r":(?=\s*[A-Za-z_]\w*\s*=)", target)
        if match:
            target, options = target[: match.start()], target[match.end() :]
        elif colon and not tail:
            target = head
        read: dict[str, object] = {}
        for part in _split(options):
            key, equals, value = part.partition("=")
            if not equals or not key.strip().isidentifier():
                raise OptionError(
                    f"{part!r} in {text!r} is not an option; write NAME:key=value,key=value."
                )
            if key.strip() in read:
                raise OptionError(f"{text!r} gives {key.strip()} twice; give it once.")
            read[key.strip()] = _literal(value.strip())
        return cls(target, read)

    def __str__(self) -> str:
        options = ",".join(f"{key}={_written(value)}" for key, value in self.options.items())
        return f"{self.target}:{options}" if options else self.target


def find(kind: str, name: str) -> type[Any]:
    """The class registered under a name, or found at ``file.py:Class`` or ``module:Class``.

    Names are forgiving: case, ``-``, ``_`` and blanks do not count, aliases and the dotted class
    paths of Genius work.

    Raises:
        UnknownName: nothing has that name; the text says which are near.
    """
    place, colon, attribute = name.rpartition(":")
    if colon and not place:
        raise UnknownName(
            f"{name!r} names no place; write path/to/file.py:Class or package.module:Class."
        )
    if colon:
        try:
            return _at_place(kind, place, attribute)
        except UnknownName:
            first, _, rest = name.partition(":")
            cls = None if first.endswith(".py") else _named(kind, first)
            if cls is None:
                raise
            possible = ", ".join(inspect.signature(cls).parameters) or "none"
            raise UnknownName(
                f"{rest!r} is no option of {first!r}; write {first}:key=value with a key of: "
                f"{possible}."
            ) from None
    found = _named(kind, name)
    if found is None:
        raise UnknownName(_unknown(kind, name))
    return found


def _named(kind: str, name: str) -> type[Any] | None:
    # A class path of Genius may be another name as a whole, or else its last part is.
    for wanted in dict.fromkeys((_plain(name), _plain(name.rpartition(".")[2]))):
        for cls in _candidates(kind, name) if wanted else ():
            if wanted in {_plain(known) for known in (cls.name, *cls.aliases)}:
                return cls
    return None


def _unknown(kind: str, name: str) -> str:
    """What may have been meant by a name that nothing of the kind has."""
    file = name if name.endswith(".py") else f"{name}.py"
    if Path(file).is_file():
        return (
            f"No {kind} is named {name!r}. For a class in the file write {file}:"
            f"{' or '.join(_classes_in(file)) or 'Class'}."
        )
    text = f"No {kind} is named {name!r}"
    if "," in name or len(name.split()) > 1:
        return f"{text}; name one at a time, and options as NAME:key=value."
    from genius_py.formats.bundled import bundled_names  # only a mistake needs it

    others = [other for other in KINDS if other != kind and _named(other, name) is not None]
    others += ["domain"] * (_plain(name) in map(_plain, bundled_names()))
    if others:
        return f"{text}, but a {' and a '.join(others)} is."
    known = {
        label.casefold(): label
        for cls in names(kind).values()
        for label in (cls.name, *cls.aliases)
    }
    near = _nearest(name.casefold(), known)
    if near:
        return f"{text}. Did you mean {' or '.join(repr(known[n]) for n in near)}?"
    return f"{text}. See: genius-py list {_plural(kind)}."


def _classes_in(file: str) -> list[str]:
    """The classes that a file defines; it is not run."""
    try:
        tree = ast.parse(Path(file).read_bytes())
    except (OSError, SyntaxError, ValueError):
        return []
    return [node.name for node in tree.body if isinstance(node, ast.ClassDef)]


def find_object(place: str) -> Any:
    """Whatever stands at ``file.py:NAME`` or ``package.module:NAME``, such as a game or a function.

    Raises:
        UnknownName: there is nothing.
    """
    home, _, attribute = place.rpartition(":")
    if not home:
        raise UnknownName(
            f"{place!r} is no place; write path/to/file.py:NAME or package.module:NAME."
        )
    module = _module(home)
    if not hasattr(module, attribute):
        near = _nearest(attribute, vars(module))
        hint = f"Did you mean {near[0]!r}?" if near else "Check its spelling."
        raise UnknownName(f"{home} has no {attribute!r}. {hint}")
    return getattr(module, attribute)


def class_of(kind: str, spec: str) -> type[Any]:
    """The class that a spec names, whatever its options.

    Raises:
        UnknownName: nothing has that name.
    """
    return find(kind, Spec.parse(spec).target)


def make(kind: str, spec: str | Spec) -> Any:
    """A fresh object from a spec.

    Raises:
        UnknownName: nothing has that name.
        OptionError: the class does not take one of the options, or not that value for it; or it
            leaves something out that every class of its kind must say.
    """
    spec = Spec.parse(spec) if isinstance(spec, str) else spec
    cls = find(kind, spec.target)
    if inspect.isabstract(cls):
        missing = ", ".join(sorted(cls.__abstractmethods__))
        base = f", or derive from {_COMPLETE_PROTOCOL}, which has it" if kind == "protocol" else ""
        raise OptionError(f"{spec.target!r} has no {missing}: write what is missing{base}.")
    if spec.options:
        _check_options(cls, spec)
    try:
        return cls(**spec.options)
    except TypeError as error:
        raise OptionError(f"{spec.target!r} cannot be made from {str(spec)!r}: {error}.") from error


def _check_options(cls: type[Any], spec: Spec) -> None:
    takes = inspect.signature(cls).parameters
    takes_any = any(p.kind is p.VAR_KEYWORD for p in takes.values())
    hints = _hints(cls)  # type: ignore[arg-type]  # mypy: classes cannot be hashed
    for option, value in spec.options.items():
        if option in takes:
            if option in hints and not _fits(value, hints[option]):
                quotes = f"; for text write {option}='{value}'" if hints[option] is str else ""
                raise OptionError(
                    f"{option!r} of {spec.target!r} must be {_meant(hints[option])}, "
                    f"not {value!r}{quotes}."
                )
        elif not takes_any:
            near = _nearest(option, takes)
            hint = f"did you mean {near[0]!r}? Its" if near else "its"
            possible = ", ".join(takes) or "none"
            raise OptionError(
                f"{spec.target!r} has no option {option!r}; {hint} options are: {possible}."
            )


@cache
def _hints(cls: Any) -> Mapping[str, Any]:
    """What types a class says that its options have; empty where that cannot be found out."""
    try:
        return get_type_hints(cls.__init__)
    except Exception:  # names that only a type checker knows, and whatever else authors write
        return {}


_SCALARS: Mapping[object, str] = {
    bool: "true or false",
    int: "a whole number",
    float: "a finite number",
    str: "text",
    type(None): "none",
}


def _fits(value: object, hint: Any) -> bool:
    """Whether a value from a spec is of a type; what is no plain type is for the class to judge."""
    kind = get_origin(hint)
    if kind is Literal:
        return any(isinstance(value, type(one)) and value == one for one in get_args(hint))
    if kind in (Union, UnionType):
        return any(_fits(value, member) for member in get_args(hint))
    if kind is Callable:
        return callable(value)
    if isinstance(value, bool) or hint not in _SCALARS:
        return hint is bool or hint not in _SCALARS
    if hint is float:
        return isinstance(value, Real) and _is_finite(value)
    return isinstance(value, Integral if hint is int else hint)


def _is_finite(number: Real) -> bool:
    try:
        return math.isfinite(float(number))
    except OverflowError:  # a whole number beyond all floats
        return False


def _meant(hint: Any) -> str:
    if get_origin(hint) is Literal:
        return " or ".join(map(str, get_args(hint)))
    if get_origin(hint) in (Union, UnionType):
        members = get_args(hint)
        return " or ".join(
            _meant(m) for m in members if m in _SCALARS and not (m is int and float in members)
        )
    return _SCALARS.get(hint, "something else")


def names(kind: str) -> dict[str, type[Any]]:
    """Every registered name of a kind and its class, sorted by name."""
    found = {cls.name: cls for cls in _candidates(kind)}
    return dict(sorted(found.items()))


def _candidates(kind: str, first: str = "") -> Iterator[type[Any]]:
    package = importlib.import_module(KINDS[kind])
    # A thousand sessions ask for the same few names: look where it was found before listing files.
    known = sys.modules.get(f"{package.__name__}.{first.casefold().replace('-', '_')}")
    if known is not None:
        yield from _classes(known)
    modules = [m.name for m in pkgutil.iter_modules(package.__path__) if not m.name.startswith("_")]
    modules.sort(key=lambda module: (_plain(module) != _plain(first), module))
    for module in modules:
        yield from _classes(importlib.import_module(f"{package.__name__}.{module}"))
    from importlib.metadata import entry_points  # 20 ms that a built-in name never needs

    for entry in sorted(entry_points(group=KINDS[kind]), key=lambda entry: entry.name):
        try:
            cls = entry.load()
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # another package's mistake is not this program's end
            text = str(_unimportable(entry.value, error)).removesuffix(".")
            warnings.warn(f"{text}; {entry.name!r} is left out.", GeniusWarning, stacklevel=2)
        else:
            yield cls


def _classes(module: ModuleType) -> Iterator[type[Any]]:
    for value in vars(module).values():
        # Only classes of this very module that give themselves a name: bases are not plug-ins.
        if (
            inspect.isclass(value)
            and value.__module__ == module.__name__
            and value.__dict__.get("name")
            and not inspect.isabstract(value)
        ):
            yield value


def _at_place(kind: str, place: str, attribute: str) -> type[Any]:
    module = _module(place)
    try:
        found = getattr(module, attribute)
    except AttributeError:
        offered = [cls for cls, value in vars(module).items() if inspect.isclass(value)]
        near = _nearest(attribute, offered)
        hint = f"Did you mean {near[0]!r}?" if near else "Check its spelling."
        raise UnknownName(f"{place} has no class {attribute!r}. {hint}") from None
    if not inspect.isclass(found):
        raise UnknownName(f"{place}:{attribute} is not a class, so it cannot be a {kind}.")
    if kind in _CONTRACTS:
        home, _, base = _CONTRACTS[kind].partition(":")
        if not issubclass(found, getattr(importlib.import_module(home), base)):
            raise UnknownName(f"{place}:{attribute} is no {kind}; derive it from {home}.{base}.")
    return found


def _module(place: str) -> ModuleType:
    return _load_file(Path(place)) if place.endswith(".py") else _import(place)


def _import(place: str) -> ModuleType:
    try:
        return importlib.import_module(place)
    except ModuleNotFoundError as error:
        raise UnknownName(
            f"There is no module {place!r} ({error}); for a file write path/to/file.py:Class."
        ) from None
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # sys.exit() included
        raise _unimportable(place, error) from error


def _load_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise UnknownName(f"There is no file {str(path)!r}.")
    # One module a path, so that a class is the same object whenever it is named.
    digest = hashlib.sha256(os.fsencode(path.resolve())).hexdigest()[:12]
    name = f"{_LOOSE}{path.stem}_{digest}"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        try:
            spec.loader.exec_module(module)
        except BaseException as error:  # sys.exit() included
            del sys.modules[name]
            if isinstance(error, KeyboardInterrupt):
                raise
            raise _unimportable(str(path), error) from error
    return sys.modules[name]


def _unimportable(place: str, error: BaseException) -> UnknownName:
    import traceback  # only a mistake needs it

    where = ""
    if not isinstance(error, SyntaxError):  # whose text names the place already
        frame = traceback.extract_tb(error.__traceback__)[-1]
        where = f" ({Path(frame.filename).name}, line {frame.lineno})"
    return UnknownName(f"{place} cannot be imported: {type(error).__name__}: {error}{where}.")


def plug_in_place(error: BaseException) -> str:
    """The last line of a plug-in's file on the way to an error, as ``my_rules.py, line 7, in f``.

    A plug-in is a file that was named by its place, or a module of another package that defines a
    party or protocol. Empty where none was on the way, or where another process was.
    """
    import traceback  # only a mistake needs it

    for frame, line in reversed([*traceback.walk_tb(error.__traceback__)]):
        if _is_plug_in(frame.f_globals):
            return f"{frame.f_code.co_filename}, line {line}, in {frame.f_code.co_name}"
    return ""


def _is_plug_in(module: Mapping[str, Any]) -> bool:
    name = str(module.get("__name__"))
    if name.startswith(_LOOSE):
        return True
    if name.partition(".")[0] == __name__.partition(".")[0]:
        return False
    classes = [value for value in module.values() if inspect.isclass(value)]
    bases = {f"{base.__module__}:{base.__qualname__}" for cls in classes for base in cls.__mro__}
    return any(cls.__module__ == name for cls in classes) and not bases.isdisjoint(
        _CONTRACTS.values()
    )


def _nearest(word: str, known: Iterable[str]) -> list[str]:
    """The known words most like one, best first; none that is much less so than the first."""
    import difflib  # only a mistake needs it

    near = difflib.get_close_matches(word, known, n=3, cutoff=0.6)
    likeness = [difflib.SequenceMatcher(None, other, word).ratio() for other in near]
    return [other for other, like in zip(near, likeness, strict=True) if like > likeness[0] - 0.2]


def _split(options: str) -> list[str]:
    """Split at commas that stand outside brackets."""
    return [part for part in re.split(r",(?![^\[(]*[\])])", options) if part.strip()]


def _literal(text: str) -> object:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return {"true": True, "false": False, "none": None}.get(text.casefold(), text)


def _written(value: object) -> str:
    """An option's value as `Spec.parse` reads it: text that looks like a literal has quotes."""
    text = str(value)
    return repr(value) if isinstance(value, str) and _literal(text) != value else text


def _plain(name: str) -> str:
    return re.sub(r"[\s_-]", "", name.casefold())


def _plural(kind: str) -> str:
    return "parties" if kind == "party" else f"{kind}s"
