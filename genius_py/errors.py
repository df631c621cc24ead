"""Every error and warning that genius-py raises on purpose.

::

    GeniusError
     |-- DomainError       (ValueError)    a file or description of a game is broken
     |-- InvalidBid        (ValueError)    a bid is not of the domain it is used with
     |-- ProfileError      (ValueError)    a profile cannot say what a bid is worth
     |-- ActionError       (ValueError)    an action is not allowed at this point
     |-- OptionError       (ValueError)    a setting has an impossible value
     |    `-- MissingOption (TypeError)    a setting that must be given is not
     |-- StrategyError     (ValueError)    a strategy was asked, or answered, nonsense
     |-- UnknownName       (LookupError)   nothing is registered under a name
     |-- OutcomeSpaceTooLarge (RuntimeError)  something asked to list an unlistable domain
     |-- PartyFailure      (RuntimeError)  a party could not be made or asked
     |    `-- ModelFailure                 a language model could not be asked
     |-- SessionFailure    (RuntimeError)  a session could not be played to an end that counts
     |-- MetricFailure     (RuntimeError)  nothing could be measured
     `-- LogError          (ValueError)    a log cannot be read
          `-- ReplayMismatch               a replay did not come out as recorded

    GeniusWarning (UserWarning)            dubious but readable input; the text names it
"""

__all__ = [
    "ActionError",
    "DomainError",
    "GeniusError",
    "GeniusWarning",
    "InvalidBid",
    "LogError",
    "MetricFailure",
    "MissingOption",
    "ModelFailure",
    "OptionError",
    "OutcomeSpaceTooLarge",
    "PartyFailure",
    "ProfileError",
    "ReplayMismatch",
    "SessionFailure",
    "StrategyError",
    "UnknownName",
]


class GeniusError(Exception):
    """The base of all errors; its text names the culprit, the place and the way out."""


class DomainError(GeniusError, ValueError):
    """A domain, profile or scenario description is broken.

    `file`, `line` and `column` (1-based) are None where they are not known; the text starts
    with those that are, as ``file:line:column: ``.
    """

    def __init__(
        self,
        message: str,
        *,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        place = ":".join(str(part) for part in (file, line, column) if part is not None)
        super().__init__(f"{place}: {message}" if place else message)
        self.message = message
        self.file = file
        self.line = line
        self.column = column

    def __reduce__(self) -> tuple[object, ...]:
        # The keyword-only arguments would be lost between processes otherwise.
        return _domain_error, (self.message, self.file, self.line, self.column)


def _domain_error(
    message: str, file: str | None, line: int | None, column: int | None
) -> DomainError:
    return DomainError(message, file=file, line=line, column=column)


class InvalidBid(GeniusError, ValueError):
    """A bid is not of the domain it is used with."""


class ProfileError(GeniusError, ValueError):
    """A profile cannot say what a bid is worth."""


class ActionError(GeniusError, ValueError):
    """An action is not allowed at this point of the session."""


class OptionError(GeniusError, ValueError):
    """A setting has a value that it cannot have."""


class MissingOption(OptionError, TypeError):
    """A setting that has no default was not given."""


class StrategyError(GeniusError, ValueError):
    """A strategy was asked for, or answered with, something meaningless."""


class UnknownName(GeniusError, LookupError):
    """Nothing is registered under a name."""


class OutcomeSpaceTooLarge(GeniusError, RuntimeError):
    """Something asked to list a domain that is too large to be listed."""


class PartyFailure(GeniusError, RuntimeError):
    """A party could not be made, or could not be reached when it was asked."""


class ModelFailure(PartyFailure):
    """A language model could not be loaded or asked: that says nothing about how it plays."""


class SessionFailure(GeniusError, RuntimeError):
    """A session failed, so that its result does not count."""


class MetricFailure(GeniusError, RuntimeError):
    """Nothing could be measured: every metric failed, or their input could not be read."""


class LogError(GeniusError, ValueError):
    """A session log cannot be read."""


class ReplayMismatch(LogError):
    """A replayed session did not come out as its log says."""


class GeniusWarning(UserWarning):
    """Input that can be read but looks wrong; the text names what is odd and what was done."""
