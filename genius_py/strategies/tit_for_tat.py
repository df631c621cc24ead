"""Tit for tat in utilities: answer the opponent's last change with one of our own.

Faratin, Sierra & Jennings (1998), section on behaviour-dependent tactics, with utilities in the
place of issue values. `own` is the utility we asked for last; `before` and `after` are what two
of the opponent's offers, the earlier and the later, are worth to us. The answer is the utility to
ask for now, kept in [minimum, maximum]. A greedier opponent makes us greedier.

Which two offers are compared decides on the tactic: the last two give its plain form, offers
further apart a slower one, and `relative_target` over a whole window the averaged one.
"""

from __future__ import annotations

from genius_py.strategies.elementwise import elementwise

__all__ = ["absolute_target", "relative_target"]


@elementwise
def absolute_target(
    own: float, before: float, after: float, minimum: float = 0.0, maximum: float = 1.0
) -> float:
    """Give up as much utility as the opponent gave us: ``own - (after - before)``."""
    return max(minimum, min(maximum, own - (after - before)))


@elementwise
def relative_target(
    own: float, before: float, after: float, minimum: float = 0.0, maximum: float = 1.0
) -> float:
    """Scale our demand by the change of the opponent's offer: ``own * before / after``.

    Where both of its offers are worth nothing there was no change.
    """
    if after <= 0:
        return maximum if before > 0 else max(minimum, min(maximum, own))
    return max(minimum, min(maximum, own * before / after))
