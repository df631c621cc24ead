"""Attention over a shared prefix, held against attention over copies of it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from genius_py.llm.shared_prefix import Group, RowCache, _attend

HEADS, KEY_HEADS, SIZE = 6, 2, 8


@pytest.mark.parametrize("columns", [1, 5])
@pytest.mark.parametrize("length", [7, 12])
@pytest.mark.parametrize("is_plain", [False, True], ids=["of the CPU", "of any device"])
def test_it_is_the_attention_over_prefix_and_own_keys_together(
    torch: Any, monkeypatch: pytest.MonkeyPatch, columns: int, length: int, is_plain: bool
) -> None:
    if is_plain:
        monkeypatch.setattr(torch.ops.aten, "_scaled_dot_product_flash_attention_for_cpu", None)
    random = torch.Generator().manual_seed(0)

    def noise(*shape: int) -> Any:
        return torch.randn(*shape, generator=random)

    # Three rows of one prefix, one of another, two of none.
    long = [(noise(KEY_HEADS, 9, SIZE), noise(KEY_HEADS, 9, SIZE))]
    short = [(noise(KEY_HEADS, 4, SIZE), noise(KEY_HEADS, 4, SIZE))]
    groups = [Group(0, 3, long), Group(3, 4, short), Group(4, 6, None)]
    query = noise(6, HEADS, columns, SIZE)
    keys, values = noise(6, KEY_HEADS, length, SIZE), noise(6, KEY_HEADS, length, SIZE)
    mask = torch.zeros(6, 1, columns, length)
    mask[:, :, :, 0] = float("-inf")  # a hole
    mask[2, :, :, 3] = float("-inf")
    out, _ = _attend(
        SimpleNamespace(layer_idx=0), query, keys, values, mask, SIZE**-0.5, groups=groups
    )
    for group in groups:
        for row in range(group.start, group.stop):
            k, v, bias = keys[row], values[row], mask[row]
            if group.prefix is not None:
                common_k, common_v = group.prefix[0]
                k, v = torch.cat([common_k, k], 1), torch.cat([common_v, v], 1)
                seen = torch.zeros(1, columns, common_k.shape[1])
                bias = torch.cat([seen, bias], -1)
            expected = torch.nn.functional.scaled_dot_product_attention(
                query[row],
                k.repeat_interleave(HEADS // KEY_HEADS, 0),
                v.repeat_interleave(HEADS // KEY_HEADS, 0),
                attn_mask=bias,
            )
            assert torch.allclose(out[row], expected.transpose(0, 1), atol=1e-5)


def test_rows_grow_and_are_dropped_without_changing_the_others(torch: Any) -> None:
    cache = RowCache(1)
    kept = torch.zeros(4, KEY_HEADS, 0, SIZE)
    for step in range(60):
        new = torch.randn(4, KEY_HEADS, 1 + step % 3, SIZE)
        kept = torch.cat([kept, new], 2)
        keys, values = cache.update(new, -new, 0)
        cache.advance(new.shape[2])
        assert torch.equal(keys, kept)
        assert torch.equal(values, -kept)
        assert cache.get_seq_length() == kept.shape[2]
    cache.keep([3, 1])
    new = torch.randn(2, KEY_HEADS, 2, SIZE)
    keys, _ = cache.update(new, -new, 0)
    assert torch.equal(keys, torch.cat([kept[[3, 1]], new], 2))
    cache.advance(2)
    ((prefix_keys, _),) = cache.as_prefix()
    assert torch.equal(prefix_keys, keys[0])
