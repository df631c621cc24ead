"""What asking language models has cost."""

from __future__ import annotations

import attrs

__all__ = ["Usage"]


@attrs.define
class Usage:
    """Counts of one model, or the sum over several.

    `requests` were asked, of which `cached` had an answer already (in the cache, or because
    another request of the same batch was equal) and `failed` got none. The others were answered
    in `batches`. `seconds` is wall time spent in the backend.
    """

    requests: int = 0
    cached: int = 0
    failed: int = 0
    batches: int = 0
    prompt_tokens: int = 0
    new_tokens: int = 0
    seconds: float = 0.0

    @property
    def batch_fill(self) -> float:
        """Requests a batch, on average; 0 before the first."""
        return (self.requests - self.cached) / self.batches if self.batches else 0.0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            *(
                getattr(self, field.name) + getattr(other, field.name)
                for field in attrs.fields(Usage)
            )
        )

    def __sub__(self, earlier: Usage) -> Usage:
        return Usage(
            *(
                getattr(self, field.name) - getattr(earlier, field.name)
                for field in attrs.fields(Usage)
            )
        )

    def __str__(self) -> str:
        return (
            f"{self.requests} requests ({self.cached} from the cache, {self.failed} failed), "
            f"{self.batches} batches of {self.batch_fill:.1f}, "
            f"{self.prompt_tokens} + {self.new_tokens} tokens, {self.seconds:.1f} s"
        )
