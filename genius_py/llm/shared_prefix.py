"""Attention over a prefix that many rows share, stored and read once for all of them.

Each row of a batch attends to the keys of its group's prefix and to its own. The keys of the
prefix are kept once, not once a row, and the queries of all rows meet them in one matrix product:
what Juravsky et al. (2024, "Hydragen") found for prefixes of whole batches.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import attrs

if TYPE_CHECKING:
    import torch

__all__ = ["NAME", "Group", "Prefix", "RowCache", "joined", "register"]

NAME = "genius_py_shared_prefix"
"""Under which transformers finds this attention."""

Prefix: TypeAlias = "Sequence[tuple[torch.Tensor, torch.Tensor]]"
"""Keys and values of each layer, shape (key heads, tokens, head size)."""


@attrs.frozen(eq=False)
class Group:
    """The rows from `start` up to `stop`, which share a prefix (None: they have none)."""

    start: int
    stop: int
    prefix: Prefix | None


class RowCache:
    """Keys and values of the rows' own tokens; what transformers calls a cache.

    Tensors have room to grow, so that a new token does not copy all that went before.
    """

    is_compileable = False

    def __init__(self, layers: int) -> None:
        self.length = 0
        self._stored: list[tuple[torch.Tensor, torch.Tensor] | None] = [None] * layers

    def get_seq_length(self, *_: Any) -> int:
        """Columns that every row has."""
        return self.length

    def update(
        self, keys: torch.Tensor, values: torch.Tensor, layer: int, *_: Any, **__: Any
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Append columns to a layer and give all of them; `advance` ends a step."""
        import torch

        end = self.length + keys.shape[2]
        stored = self._stored[layer]
        if stored is None or stored[0].shape[2] < end:
            room = end + max(32, end // 4)
            grown = tuple(
                torch.empty(
                    (*new.shape[:2], room, new.shape[3]), dtype=new.dtype, device=new.device
                )
                for new in (keys, values)
            )
            if stored is not None:
                for old, new in zip(stored, grown, strict=True):
                    new[:, :, : self.length] = old[:, :, : self.length]
            stored = self._stored[layer] = (grown[0], grown[1])
        stored[0][:, :, self.length : end] = keys
        stored[1][:, :, self.length : end] = values
        return stored[0][:, :, :end], stored[1][:, :, :end]

    def advance(self, columns: int) -> None:
        """The columns that every layer got in this step stay."""
        self.length += columns

    def keep(self, rows: Sequence[int]) -> None:
        """Drop all rows but these."""
        import torch

        for layer, stored in enumerate(self._stored):
            if stored is not None:
                chosen = torch.tensor(rows, device=stored[0].device)
                self._stored[layer] = (stored[0][chosen], stored[1][chosen])

    def as_prefix(self) -> Prefix:
        """The first row, to be shared."""
        return [
            (keys[0, :, : self.length].contiguous(), values[0, :, : self.length].contiguous())
            for keys, values in filter(None, self._stored)
        ]


def joined(first: Prefix | None, second: Prefix) -> Prefix:
    """A prefix that goes on with another one; None: there is nothing before it."""
    if first is None:
        return second
    import torch

    return [
        (torch.cat([a, c], dim=1), torch.cat([b, d], dim=1))
        for (a, b), (c, d) in zip(first, second, strict=True)
    ]


def register() -> None:
    """Make this attention known to transformers."""
    from transformers import AttentionInterface

    AttentionInterface.register(NAME, _attend)


def _attend(
    module: Any,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor,
    scaling: float,
    groups: Sequence[Group] = (),
    **_: Any,
) -> tuple[torch.Tensor, None]:
    """Attention as transformers calls it; `attention_mask` is about the own columns alone.

    Query heads that share a key head are stacked instead of repeating the keys for each. What
    comes of the prefix and of the own columns is weighed by what each has of the softmax.
    """
    rows, heads, columns, size = query.shape
    key_heads = key.shape[1]
    shared = heads // key_heads
    stacked = query.reshape(rows, key_heads, shared * columns, size)
    out, own = _attention(stacked, key, value, attention_mask.repeat(1, 1, shared, 1), scaling)
    for group in groups:
        if group.prefix is None:
            continue
        part = slice(group.start, group.stop)
        number = group.stop - group.start
        keys, values = group.prefix[module.layer_idx]
        # All rows of the group in one product a head.
        asking = stacked[part].transpose(0, 1).reshape(1, key_heads, -1, size)
        told, common = _attention(asking, keys[None], values[None], None, scaling)
        told = told.reshape(key_heads, number, shared * columns, size).transpose(0, 1)
        common = common.reshape(key_heads, number, shared * columns).transpose(0, 1)
        share = (common - own[part]).sigmoid()[..., None].to(out.dtype)
        out[part] = out[part].lerp(told, share)
    return out.view(rows, heads, columns, size).transpose(1, 2), None


def _attention(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    mask: torch.Tensor | None,
    scaling: float,
) -> tuple[torch.Tensor, torch.Tensor]:
    """What comes of some keys alone, and the logarithm of what their weights sum up to."""
    import torch

    # On a CPU, scores that are written to memory and read again cost more than they do.
    fast = getattr(torch.ops.aten, "_scaled_dot_product_flash_attention_for_cpu", None)
    if fast is not None and query.device.type == "cpu":
        out, total = fast(query, key, value, attn_mask=mask, scale=scaling)
        return out.contiguous(), total
    scores = torch.matmul(query * scaling, key.transpose(-1, -2)).float()
    if mask is not None:
        scores += mask
    total = torch.logsumexp(scores, -1)
    weights = (scores - total[..., None]).exp().to(query.dtype)
    return torch.matmul(weights, value), total
