"""Experiments: some matches of one game between the same agents."""

from __future__ import annotations

import time
import webbrowser
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from tempfile import mkdtemp

import attrs
import numpy as np

from genius_py.errors import OptionError
from genius_py.formats.files import json_of, write_text
from genius_py.fronts.trade.agents import Agent, AgentParty, LangChainNegotiationAgent, PartyAgent
from genius_py.fronts.trade.game import BilateralTradeGame
from genius_py.fronts.trade.match_log import error_of, match_log
from genius_py.fronts.trade.result import ExperimentResult, MatchResult
from genius_py.fronts.trade.view import outcome_of
from genius_py.manager import SessionManager
from genius_py.outcome import Outcome
from genius_py.party_source import PartySource
from genius_py.plan import SessionPlan
from genius_py.protocols.options import require_whole
from genius_py.report.html import write_report
from genius_py.trace import write_log

__all__ = ["ExperimentConfig", "ExperimentRunner"]

_FULL_TURNS = 20


def _as_path(given: str | Path | None) -> Path | None:
    return None if given is None else Path(given)


@attrs.frozen
class ExperimentConfig:
    """How many matches are played, within which limits, and where their logs go.

    Args:
        game_id: the game; there is one, ``bilateral-trade``.
        num_matches: how many matches.
        log_directory: where each match's log goes, as ``<match_id>.json`` in the game's form and
            as ``<match_id>.jsonl`` in the engine's, which can be replayed; None for no logs.
        open_dashboard: whether the report about the matches is written, as ``dashboard.html`` in
            the log directory or else in a temporary one, and opened in a browser.
        max_turns_per_match: turns, messages and passes not counted, after which a match fails;
            None for 20 in a full game and no limit in a price-only one.
        max_messages_per_turn: how many messages an agent may send in one turn.
        max_message_pings: how often an agent that only sends messages is asked again in one turn.
        max_stale_turns: after how many messages and passes in a row something must be done.
        num_workers: how many matches are played at the same time.
        seed: what all chance comes from; each match has a seed of its own.

    Raises:
        OptionError: a number is impossible, or there is no such game.
    """

    game_id: str = BilateralTradeGame.game_id
    num_matches: int = 1
    log_directory: Path | None = attrs.field(default=None, converter=_as_path)
    open_dashboard: bool = False
    max_turns_per_match: int | None = None
    max_messages_per_turn: int = 10
    max_message_pings: int = 5
    max_stale_turns: int = 10
    num_workers: int = 1
    seed: int = 0

    def __attrs_post_init__(self) -> None:
        if self.game_id != BilateralTradeGame.game_id:
            raise OptionError(
                f"There is no game {self.game_id!r}; the game is {BilateralTradeGame.game_id!r}."
            )
        for name, least in (
            ("num_matches", 1),
            ("max_turns_per_match", 1),
            ("max_messages_per_turn", 0),
            ("max_message_pings", 0),
            ("max_stale_turns", 0),
            ("num_workers", 1),
            ("seed", 0),
        ):
            require_whole(name, getattr(self, name), least)

    def match_id(self, number: int) -> str:
        """The id of a match, counted from 1; the same experiment gives the same ids."""
        return f"{self.game_id}-{self.seed}-{number}"

    def match_seed(self, number: int) -> int:
        """The seed of a match, counted from 1, whatever the others are."""
        return int(np.random.SeedSequence((self.seed, number)).generate_state(1)[0])


class ExperimentRunner:
    """Plays the matches of an experiment on the engine.

    `clock` gives the time of an event in nanoseconds, and `open_page` shows a page by its address;
    neither has any influence on what happens.
    """

    def __init__(
        self,
        config: ExperimentConfig,
        *,
        clock: Callable[[], int] = time.time_ns,
        open_page: Callable[[str], object] = webbrowser.open,
    ) -> None:
        self.config = config
        self._clock = clock
        self._open_page = open_page

    def run(
        self,
        agents: Sequence[Agent | PartyAgent],
        game: BilateralTradeGame | None = None,
    ) -> ExperimentResult:
        """Play all matches; the first agent is the initiator or buyer.

        An agent that raises costs its match, which then pays nothing; the others are played.

        Raises:
            OptionError: these agents cannot play the game.
        """
        game = game or BilateralTradeGame()
        game.reservations([agent.agent_id for agent in agents])
        numbers = range(1, self.config.num_matches + 1)
        play = partial(self._match, game, agents)
        if self.config.num_workers == 1:
            matches = tuple(map(play, numbers))
        else:
            with ThreadPoolExecutor(self.config.num_workers) as pool:
                matches = tuple(pool.map(play, numbers))
        result = ExperimentResult(tuple(agent.agent_id for agent in agents), matches)
        return self._shown(game, result) if self.config.open_dashboard else result

    def _match(
        self, game: BilateralTradeGame, agents: Sequence[Agent | PartyAgent], number: int
    ) -> MatchResult:
        config = self.config
        usual = None if game.is_price_only else _FULL_TURNS
        plan = game.plan(
            {agent.agent_id: _text(agent) for agent in agents},
            seed=config.match_seed(number),
            max_turns=config.max_turns_per_match or usual,
            max_messages=min(config.max_messages_per_turn, config.max_message_pings),
            max_stale_turns=config.max_stale_turns,
        )
        session, stamps = self._play(plan, {a.agent_id: _maker(game, a) for a in agents})
        match_id = config.match_id(number)
        error, outcome = _outcome(session)
        log_file = None
        if config.log_directory is not None:
            log_file = config.log_directory / f"{match_id}.json"
            metadata = {"experiment": _plain(config), "seed": plan.seed, "error": error or None}
            told = match_log(match_id, game.config, session, outcome, stamps, metadata)
            write_text(log_file, json_of(told))
            write_log(session, log_file.with_suffix(".jsonl"))
        return MatchResult(match_id, outcome, session, error, log_file)

    def _play(self, plan: SessionPlan, makers: dict[str, PartySource]) -> tuple[Outcome, list[int]]:
        """One session, and when each of its events was noticed."""
        manager = SessionManager(plan, makers)
        stamps: list[int] = []
        step = manager.start()
        while step is not None:
            stamps += [self._clock()] * (len(manager.session.log) - len(stamps))
            step = manager.send(manager.answers(step))
        stamps += [self._clock()] * (len(manager.session.log) - len(stamps))
        return manager.outcome, stamps

    def _shown(self, game: BilateralTradeGame, result: ExperimentResult) -> ExperimentResult:
        folder = self.config.log_directory or Path(mkdtemp(prefix="genius-py-"))
        folder.mkdir(parents=True, exist_ok=True)
        page = folder / "dashboard.html"
        title = f"{game.game_id}: {len(result.matches)} matches"
        write_report([match.session for match in result.matches], page, title=title)
        self._open_page(page.resolve().as_uri())
        return attrs.evolve(result, dashboard=page)


def _outcome(session: Outcome) -> tuple[str, dict[str, object]]:
    """What went wrong, and the outcome in the game's form."""
    ids = [seat.id for seat in session.plan.seats]
    # Not the session's reason: an agreement that was reached before stays one.
    error = next((error_of(fault)[1] for fault in session.faults if fault.fatal), "")
    if not error:
        return "", outcome_of(ids, session.utilities, session.detail)
    return error, {**outcome_of(ids, dict.fromkeys(ids, 0.0), "agent_error"), "error": error}


def _maker(game: BilateralTradeGame, agent: Agent | PartyAgent) -> PartySource:
    return agent.party if isinstance(agent, PartyAgent) else partial(AgentParty, game, agent)


def _text(agent: Agent | PartyAgent) -> str:
    """What sits there, for logs."""
    match agent:
        case PartyAgent(party=str() as spec):
            return spec
        case LangChainNegotiationAgent(model=str() as model):
            return f"{agent.provider}:{model}" if agent.provider else model
        case _:
            return type(agent).__name__


def _plain(config: ExperimentConfig) -> dict[str, object]:
    told = attrs.asdict(config)
    told["log_directory"] = str(config.log_directory)
    return told
