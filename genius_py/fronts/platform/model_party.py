"""A model at the engine's table."""

from __future__ import annotations

from collections.abc import Mapping

from genius_py.allowed import Allowed
from genius_py.errors import ActionError, PartyFailure
from genius_py.fronts.platform.base_game import BaseGame
from genius_py.fronts.platform.models import Model
from genius_py.party import NegotiationParty
from genius_py.session import Reply

__all__ = ["ModelParty"]


class ModelParty(NegotiationParty):
    """Asks its model what to do, and does what the reply says.

    A reply that cannot be read, or is against the rules, is this party's fault; when it is asked
    again the prompt says what was wrong. A model that raises ends the session. Each reply is kept
    in the party's notes as it came.
    """

    def __init__(self, game: BaseGame, player: str, model: Model, system_prompt: str = "") -> None:
        self.game = game
        self.player = player
        self.model = model
        self.system_prompt = system_prompt

    def choose_action(self, allowed: Allowed) -> Reply:
        """One reply of the model."""
        reply = self._ask(self._prompt(allowed.refusal))
        action = self.game.read_reply(self.player, reply)
        if why := self.game.complaint(self.player, action):
            raise ActionError(why)
        notes: dict[str, object] = {"reply": reply}
        if "repaired" in action:
            notes["repaired"] = action["repaired"]
        message = action.get("message")
        return Reply(
            self.game.to_action(self.player, action),
            message=message if isinstance(message, str) else "",
            notes=notes,
        )

    def _prompt(self, refusal: str) -> str:
        prompt = self.game.get_game_prompt(self.player)
        # The engine says "raised ..." of whatever a party throws.
        why = refusal.removeprefix("raised ")
        again = f"Your last reply did not count: you {why}." if why else ""
        return "\n\n".join(part for part in (self.system_prompt, prompt, again) if part)

    def _ask(self, prompt: str) -> str | dict[str, object]:
        try:
            reply = self.model(prompt)
        except Exception as error:
            # Not a bad move: there is no mind that could be asked again.
            raise PartyFailure(
                f"the model of {self.player} failed: {type(error).__name__}: {error}"
            ) from error
        if isinstance(reply, Mapping):
            return dict(reply)
        if isinstance(reply, str):
            return reply
        raise ActionError(
            f"replied with a {type(reply).__name__}, which is neither text nor action"
        )
