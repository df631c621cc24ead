"""Linear profiles and tables as plain data."""

from __future__ import annotations

from genius_py.domain import Domain
from genius_py.formats.node import Node
from genius_py.formats.profile_parts import issue_named, plain, value_of
from genius_py.utility import Limit, LinearUtilitySpace, TableUtilitySpace

__all__ = ["read_linear", "read_table", "write_linear", "write_table"]


def read_linear(node: Node, domain: Domain) -> LinearUtilitySpace:
    """The profile that a mapping describes; its keys have been checked."""
    entries = node.entries()
    limits = [] if "limits" not in entries else entries["limits"].items()
    options = {key: entries[key].number() for key in ("constant", "scale") if key in entries}
    read = [_limit(limit, domain) for limit in limits]
    coefficients = _coefficients(entries["coefficients"], domain)
    where = entries["where"].entries() if "where" in entries else {}
    chosen = {
        name: value_of(value, issue_named(entries["where"], name, domain))
        for name, value in where.items()
    }
    with node.blamed():
        return LinearUtilitySpace(
            domain=domain, coefficients=coefficients, limits=read, where=chosen, **options
        )


def _limit(node: Node, domain: Domain) -> Limit:
    entries = node.mapping(("coefficients", "upper"))
    return Limit(_coefficients(entries["coefficients"], domain), entries["upper"].number())


def _coefficients(node: Node, domain: Domain) -> list[float]:
    given = node.entries()
    for name in given:
        issue_named(node, name, domain)
    return [given[name].number() if name in given else 0.0 for name in domain.issue_names]


def write_linear(space: LinearUtilitySpace) -> dict[str, object]:
    """What `read_linear` reads."""

    def named(coefficients: tuple[float, ...]) -> dict[str, object]:
        pairs = zip(space.domain.issue_names, coefficients, strict=True)
        return {name: plain(number) for name, number in pairs if number}

    data: dict[str, object] = {"coefficients": named(space.coefficients)}
    if space.constant:
        data["constant"] = plain(space.constant)
    if space.scale != 1:
        data["scale"] = plain(space.scale)
    if space.limits:
        data["limits"] = [
            {"coefficients": named(limit.coefficients), "upper": plain(limit.upper)}
            for limit in space.limits
        ]
    if space.where:
        data["where"] = dict(space.where)
    return data


def read_table(node: Node, domain: Domain) -> TableUtilitySpace:
    """The profile that a mapping describes; its keys have been checked."""
    given = node.entries()["utilities"]
    with given.blamed():
        domain.require_listable()
    rows = given.items()
    if rows and isinstance(rows[0].content, list):
        table = _from_rows(given, domain)
    else:
        table = [number.number() for number in rows]
    with given.blamed():
        return TableUtilitySpace(domain=domain, table=table)


def _from_rows(node: Node, domain: Domain) -> list[float]:
    """The table of rows that each hold the values of a bid, in issue order, and its utility."""
    table: dict[int, float] = {}
    for row in node.items():
        cells = row.items()
        if len(cells) != len(domain.issues) + 1:
            raise row.error(
                f"expected a value of each issue ({', '.join(domain.issue_names)}) and a utility."
            )
        pairs = zip(cells, domain.issues, strict=False)
        values = tuple(value_of(cell, issue) for cell, issue in pairs)
        with row.blamed():
            index = domain.index_of(values)
        if index in table:
            raise row.error(f"the bid {domain.bid_at(index)} is here twice.")
        table[index] = cells[-1].number()
    for index in range(domain.size):
        if index not in table:
            raise node.error(f"the bid {domain.bid_at(index)} has no row here.")
    return [table[index] for index in range(domain.size)]


def write_table(space: TableUtilitySpace) -> dict[str, object]:
    """What `read_table` reads."""
    return {"utilities": [plain(number) for number in space.table.tolist()]}
