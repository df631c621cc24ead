"""A party in a process of its own, which can be cut off when it is too slow."""

from __future__ import annotations

import multiprocessing
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import attrs

from genius_py import registry
from genius_py.action import Action
from genius_py.allowed import Allowed
from genius_py.bid import Bid
from genius_py.deadline import Timeline
from genius_py.log import Log
from genius_py.party import NegotiationInfo, NegotiationParty
from genius_py.session import Reply

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from genius_py.manager import PartySource

__all__ = ["IsolatedParty"]

_START_SECONDS = 60.0
"""Starting an interpreter and importing the party is not charged to its time, but is bounded."""


class IsolatedParty(NegotiationParty):
    """Forwards every call to a party in another process, and waits at most `timeout` seconds.

    A party that is too slow is killed: that call and all later ones raise `TimeoutError`, which
    the engine records as its fault. `source` is a spec, or a class or factory that can be
    pickled. Utility spaces that are callables must be picklable too.
    """

    def __init__(self, source: PartySource, timeout: float | None = None) -> None:
        self._source = source
        self._timeout = timeout
        self._pipe: Connection | None = None
        self._sent = 0
        # A fresh interpreter: a fork would copy locks held by threads of this process.
        self._context = multiprocessing.get_context("spawn")

    def init(self, info: NegotiationInfo) -> None:
        """Start the process and make the party there."""
        super().init(info)
        self._pipe, theirs = self._context.Pipe()
        self._process = self._context.Process(
            target=_serve, args=(theirs, self._source), daemon=True
        )
        self._process.start()
        theirs.close()
        travelling = attrs.asdict(info, recurse=False)
        travelling["timeline"] = travelling["history"] = None
        try:
            self._receive(_START_SECONDS, "did not start")
            self._call("init", travelling)
        except BaseException:
            self._stop()  # a party that could not be prepared is not told the end either
            raise

    def receive_message(self, sender: str | None, action: Action) -> None:
        """Forward."""
        self._call("receive_message", sender, action)

    def choose_action(self, allowed: Allowed) -> Action | Reply:
        """Forward, and wait for the answer."""
        return self._call("choose_action", allowed)  # type: ignore[no-any-return]

    def negotiation_ended(self, agreement: Bid | None) -> Mapping[str, object] | None:
        """Forward, then end the process."""
        try:
            return self._call("negotiation_ended", agreement)  # type: ignore[no-any-return]
        finally:
            self._stop()

    def _call(self, method: str, *arguments: Any) -> Any:
        if self._pipe is None:
            raise TimeoutError("was cut off earlier because it was too slow")
        timeline = self.info.timeline
        news = self.info.history[self._sent :]
        self._sent += len(news)
        try:
            self._pipe.send((method, arguments, timeline.round, timeline.time, news))
        except (BrokenPipeError, OSError) as error:
            self._stop()
            raise ConnectionError("its process has died") from error
        return self._receive(self._timeout, f"did not answer {method}")

    def _receive(self, limit: float | None, what: str) -> Any:
        assert self._pipe is not None
        if not self._pipe.poll(limit):
            self._stop()
            raise TimeoutError(f"{what} within {limit:g} s")
        try:
            failed, answer = self._pipe.recv()
        except (EOFError, OSError) as error:
            self._stop()
            raise ConnectionError("its process has died") from error
        if failed:
            raise answer
        return answer

    def _stop(self) -> None:
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None
            self._process.join(0.5)
            if self._process.is_alive():
                self._process.kill()
                self._process.join()


class _Mirror(Timeline):
    """The timeline as the other process reports it."""

    __slots__ = ()

    def show(self, round_number: int, time: float) -> None:
        self._round = round_number
        self._time = time


def _serve(pipe: Connection, source: PartySource) -> None:
    """The other process: make the party, then answer calls until the pipe closes."""
    log = Log()
    mirror: _Mirror | None = None
    party: NegotiationParty | None = None
    answer: Any
    try:
        party = registry.make("party", source) if isinstance(source, str) else source()
        answer = (False, None)
    except Exception as error:
        answer = (True, _portable(error))
    pipe.send(answer)
    while party is not None:
        try:
            method, arguments, round_number, time, news = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            for event in news:
                log.append(event)
            if method == "init":
                (fields,) = arguments
                mirror = _Mirror(fields["deadline"], lambda: 0.0)
                mirror.show(round_number, time)
                history = log.seen_by(fields["agent_id"])
                party.init(NegotiationInfo(**{**fields, "timeline": mirror, "history": history}))
                answer = None
            else:
                assert mirror is not None
                mirror.show(round_number, time)
                answer = getattr(party, method)(*arguments)
            reply = (False, answer)
        except Exception as error:
            reply = (True, _portable(error))
        try:
            pipe.send(reply)
        except (BrokenPipeError, OSError):
            return
        except Exception as error:  # the answer cannot be pickled
            pipe.send((True, TypeError(f"answered something that cannot be sent: {error}")))


def _portable(error: Exception) -> Exception:
    """An error that survives the pipe, whatever class the party raised."""
    import pickle

    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
