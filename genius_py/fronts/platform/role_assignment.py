"""Who plays which role."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from genius_py.errors import OptionError

__all__ = ["assign_roles"]


def assign_roles(
    players: Sequence[str], roles: Sequence[str], wanted: object, seed: int
) -> dict[str, str]:
    """Player -> role, for two of each.

    `wanted` is "listed" (the first player has the first role), "random" (drawn from the seed), or
    a mapping of role to player or of player to role.

    Raises:
        OptionError: it is anything else, or does not give each player a role of its own.
    """
    if wanted == "listed":
        return dict(zip(players, roles, strict=True))
    if wanted == "random":
        turned = bool(np.random.default_rng(seed).integers(2))
        return dict(zip(players, reversed(roles) if turned else roles, strict=True))
    if not isinstance(wanted, Mapping):
        raise OptionError(f"roles is 'listed', 'random' or a mapping, not {wanted!r}.")
    by_player = wanted if players[0] in wanted else {v: k for k, v in wanted.items()}
    known = {role.casefold(): role for role in roles}
    found = {player: known.get(str(by_player.get(player, "")).casefold()) for player in players}
    if {*found.values()} != {*roles}:
        raise OptionError(
            f"roles must give {' and '.join(players)} one of {', '.join(roles)} each; "
            f"got {dict(wanted)}."
        )
    return {player: str(role) for player, role in found.items()}
