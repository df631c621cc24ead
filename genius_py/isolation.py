"""A party in a process of its own, which can be cut off when it is too slow."""

from __future__ import annotations

import multiprocessing
import os
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import attrs

from genius_py.action import Action
from genius_py.allowed import Allowed
from genius_py.bid import Bid
from genius_py.deadline import TimelineView
from genius_py.errors import OptionError, UnknownName
from genius_py.fault import Fault, Reported
from genius_py.log import Log
from genius_py.party import NegotiationInfo, NegotiationParty
from genius_py.party_source import PartySource, class_of, make_party
from genius_py.session import Reply

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

__all__ = ["IsolatedParty"]

_START_SECONDS = 60.0
"""Starting an interpreter and importing the party is not charged to its time, but is bounded."""

_LONGEST_TIMEOUT = 1e6
"""Seconds; no system waits much longer."""


class IsolatedParty(NegotiationParty):
    """Forwards every call to a party in another process, and waits at most `timeout` seconds.

    A party that is too slow is killed: that call and all later ones raise `TimeoutError`, which
    the engine records as its fault. `source` is a spec, or a class or factory that can be
    pickled. Utility spaces that are callables must be picklable too. What the party prints goes
    to stderr.

    Raises:
        OptionError: the timeout is not a number of seconds above 0, and at most a million.
    """

    def __init__(self, source: PartySource, timeout: float | None = None) -> None:
        if timeout is not None and not 0 < timeout <= _LONGEST_TIMEOUT:
            raise OptionError(
                f"A party's timeout is above 0 and at most {_LONGEST_TIMEOUT:.0f} s, not {timeout}."
            )
        self._source = source
        self._timeout = timeout
        self._pipe: Connection | None = None
        self._gone: Exception = ConnectionError("its process has not been started")
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
            raise self._gone
        timeline = self.info.timeline
        news = self.info.history[self._sent :]
        self._sent += len(news)
        try:
            self._pipe.send((method, arguments, timeline.round, timeline.time, news))
        except OSError as error:
            self._stop()
            raise ConnectionError("its process has died") from error
        return self._receive(self._timeout, f"did not answer {method}")

    def _receive(self, limit: float | None, what: str) -> Any:
        assert self._pipe is not None
        if not self._pipe.poll(limit):
            self._stop()
            self._gone = TimeoutError("was cut off earlier because it was too slow")
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
            self._gone = ConnectionError("its process died earlier")
            self._process.join(0.5)
            if self._process.is_alive():
                self._process.kill()
                self._process.join()


def _serve(pipe: Connection, source: PartySource) -> None:
    """The other process: make the party, then answer calls until the pipe closes."""
    _keep_stdout_clean()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if hasattr(os, "register_at_fork"):
        # One that forks is heard once: its children would take each other's questions away.
        os.register_at_fork(after_in_child=pipe.close)
    log = Log()
    timeline: TimelineView | None = None
    party: NegotiationParty | None = None
    made: Any = None
    try:
        party = make_party(source)
    except (UnknownName, OptionError) as error:
        made = error
    except KeyboardInterrupt:
        return
    except BaseException as error:
        made = Reported(Fault.thrown("", error, class_of(source), "init"))
    pipe.send((made is not None, made))
    while party is not None:
        try:
            method, arguments, round_number, now, news = pipe.recv()
        except (EOFError, OSError, KeyboardInterrupt):
            return
        try:
            for event in news:
                log.append(event)
            if method == "init":
                (fields,) = arguments
                timeline = TimelineView(fields["deadline"])
                timeline.round, timeline.time = round_number, now
                history = log.seen_by(fields["agent_id"])
                party.init(NegotiationInfo(**{**fields, "timeline": timeline, "history": history}))
                answer = None
            else:
                assert timeline is not None
                timeline.round, timeline.time = round_number, now
                answer = getattr(party, method)(*arguments)
            reply = (False, answer)
        except KeyboardInterrupt:
            return
        except BaseException as error:
            # Told here, since neither the error nor its traceback need survive the pipe.
            reply = (True, Reported(Fault.thrown("", error, type(party), method)))
        try:
            pipe.send(reply)
        except OSError:
            return
        except Exception as error:  # the answer cannot be pickled
            complaint = TypeError(f"answered something that cannot be sent: {error}")
            pipe.send((True, complaint))


def _end_with_parent() -> None:
    """However that was killed; a party that thinks for ever would not see that its pipe closes."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _keep_stdout_clean() -> None:
    """What is printed in this process goes to stderr: stdout is for the program's result."""
    sys.stdout = sys.stderr
    with suppress(OSError):  # where there is no stderr
        os.dup2(2, 1)
