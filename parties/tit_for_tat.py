"""Tit for tat: concedes as much as the opponent did last."""

from __future__ import annotations

import math
from typing import ClassVar

from genius_py.action import Action, Offer
from genius_py.parties.concession import ConcessionParty
from genius_py.party import NegotiationInfo
from genius_py.strategies.concession import last_concession, tit_for_tat_concession

__all__ = ["TitForTat"]


class TitForTat(ConcessionParty):
    """Gives up as much utility as its opponent's last offer brought it, never past its reservation.

    Before the opponent's second offer it concedes linearly. Of several opponents the one that
    conceded least counts.
    """

    name: ClassVar[str] = "tit-for-tat"

    def init(self, info: NegotiationInfo) -> None:
        """Nothing has been heard yet."""
        super().init(info)
        self._heard: dict[str, list[float]] = {}

    def receive_message(self, sender: str | None, action: Action) -> None:
        """Remember what each opponent's last two offers are worth."""
        super().receive_message(sender, action)
        if isinstance(action, Offer):
            heard = self._heard.setdefault(action.party, [])
            heard[:] = [*heard[-1:], self.utility(action.bid)]

    def concede(self, round: int, rounds: int, reservation: float) -> float:
        """As much as the opponent."""
        given = [last_concession(heard, self.current) for heard in self._heard.values()]
        least = min((g for g in given if not math.isnan(g)), default=math.nan)
        return tit_for_tat_concession(round, rounds, reservation, self.current, least)
