"""Java's random numbers, hashes and texts, for runs that repeat Genius to the letter.

Nothing here is used unless a run is faithful: Genius seeds its parties with `java.util.Random`,
breaks ties by 32-bit hashes and lets its feedback mediator follow the order of a hash map.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, MutableSequence, Sequence
from decimal import Decimal
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from genius_py.errors import OptionError

__all__ = [
    "JavaRandom",
    "bid_details_hash",
    "bid_hashes",
    "double_hash",
    "double_repr",
    "hash_map_order",
    "shuffle",
    "strict_log",
    "string_hash",
]

T = TypeVar("T")

_WORD = 0xFFFFFFFF


class JavaRandom:
    """`java.util.Random`: the same stream for the same seed (any whole number, wrapped to 64 bits).

    >>> JavaRandom(42).next_int(100)
    30
    """

    def __init__(self, seed: int) -> None:
        self._state = (seed ^ 0x5DEECE66D) & (1 << 48) - 1
        self._spare_gaussian: float | None = None

    def _next(self, bits: int) -> int:
        self._state = (self._state * 0x5DEECE66D + 0xB) & (1 << 48) - 1
        return self._state >> 48 - bits

    def next_int(self, bound: int | None = None) -> int:
        """Any 32-bit integer, or one in [0, bound) with 1 <= bound < 2**31."""
        if bound is None:
            return _int32(self._next(32))
        if not 0 < bound < 1 << 31:
            raise OptionError(f"The bound of next_int must lie in 1..2**31 - 1, not {bound}.")
        bits = self._next(31)
        if bound & bound - 1 == 0:
            # The low bits of the generator are poor, so a power of two takes the high ones.
            return bound * bits >> 31
        while bits - bits % bound + bound > 1 << 31:
            bits = self._next(31)
        return bits % bound

    def next_long(self) -> int:
        """Any 64-bit integer that 48 bits of state can reach."""
        high = _int32(self._next(32))
        return (((high << 32) + _int32(self._next(32))) + (1 << 63)) % (1 << 64) - (1 << 63)

    def next_boolean(self) -> bool:
        """True or False."""
        return self._next(1) == 1

    def next_float(self) -> float:
        """A multiple of 2**-24 in [0, 1)."""
        return self._next(24) / (1 << 24)

    def next_double(self) -> float:
        """A multiple of 2**-53 in [0, 1)."""
        return ((self._next(26) << 27) + self._next(27)) * 2.0**-53

    def next_gaussian(self) -> float:
        """A standard normal number, by Marsaglia's polar method; two are made at a time."""
        if self._spare_gaussian is not None:
            spare, self._spare_gaussian = self._spare_gaussian, None
            return spare
        while True:
            x = 2 * self.next_double() - 1
            y = 2 * self.next_double() - 1
            square = x * x + y * y
            if 0 < square < 1:
                break
        scale = math.sqrt(-2 * strict_log(square) / square)
        self._spare_gaussian = y * scale
        return x * scale


def shuffle(items: MutableSequence[Any], random: JavaRandom) -> None:
    """Shuffle in place, as `Collections.shuffle(items, random)` does."""
    for last in range(len(items) - 1, 0, -1):
        other = random.next_int(last + 1)
        items[last], items[other] = items[other], items[last]


def strict_log(x: float) -> float:
    """`StrictMath.log` of a positive normal number: the natural logarithm of Sun's fdlibm.

    The C library rounds a few logarithms in a hundred differently, and `next_gaussian` with them.
    """
    mantissa, exponent = math.frexp(x)
    high = math.floor(mantissa * (1 << 21)) & 0xFFFFF  # the 20 leading bits behind the point
    if high < 0x6A09C:  # below the square root of 2
        mantissa, exponent = 2 * mantissa, exponent - 1
    f = mantissa - 1
    low_part = exponent * 1.90821492927058770002e-10  # ln 2 in two parts, the first one short
    high_part = exponent * 6.93147180369123816490e-01
    if -(2.0**-20) <= f < 2.0**-20:
        remainder = f * f * (0.5 - 0.33333333333333333 * f)
        return high_part - ((remainder - low_part) - f)
    s = f / (2 + f)
    z = s * s
    w = z * z
    even = w * (0.3999999999940941908 + w * (0.2222219843214978396 + w * 0.1531383769920937332))
    odd = z * (
        0.6666666666666735130
        + w * (0.2857142874366239149 + w * (0.1818357216161805012 + w * 0.1479819860511658591))
    )
    series = odd + even
    if 0x6147A <= high <= 0x6B851:
        half_square = 0.5 * f * f
        return high_part - ((half_square - (s * (half_square + series) + low_part)) - f)
    return high_part - ((s * (f - series) - low_part) - f)


def string_hash(text: str) -> int:
    """`String.hashCode`: over UTF-16 units, in [-2**31, 2**31).

    >>> string_hash("negotiation")
    -1099531295
    """
    units = memoryview(text.encode("utf-16-be", "surrogatepass"))
    value = 0
    for high, low in zip(units[::2], units[1::2], strict=True):
        value = (31 * value + (high << 8 | low)) & _WORD
    return _int32(value)


def double_hash(values: ArrayLike) -> NDArray[np.int64]:
    """`Double.hashCode` of each element: high word XOR low word, in [-2**31, 2**31)."""
    numbers = np.asarray(values, dtype=np.float64)
    # Java knows one NaN only.
    bits = np.where(np.isnan(numbers), np.nan, numbers).view(np.int64)
    return _int32_array(bits ^ bits >> 32)


def bid_hashes(value_hashes: Sequence[Sequence[int]]) -> NDArray[np.int64]:
    """Hash of every bid of a domain, shape (n_bids,), the first issue varying fastest.

    `value_hashes` has the hashes of each issue's values: `string_hash` for a discrete value, 0
    for an integer one. A bid's hash is the sum, wrapped to 32 bits. Bids with real values have
    no hash that two runs of Java would agree on.
    """
    total = np.zeros(1, dtype=np.int64)
    for hashes in value_hashes:
        total = np.add.outer(np.asarray(hashes, dtype=np.int64), total).ravel()
    return _int32_array(total)


def bid_details_hash(bid_hash: ArrayLike, utility: ArrayLike) -> NDArray[np.int64]:
    """Hash by which Genius orders bids of equal utility, elementwise, in [-2**31, 2**31)."""
    # 64 bits hold each step exactly; what is cut to a word in the end is what Java would have.
    value = 31 + np.asarray(bid_hash, dtype=np.int64)
    value = _int32_array(31 * value + double_hash(utility))
    return _int32_array(31 * value + double_hash(-1.0))  # where the bid's time would stand


def hash_map_order(keys: Iterable[T], hash_of: Callable[[Any], int] = string_hash) -> list[T]:
    """Distinct keys in the order in which a `java.util.HashMap` or `HashSet` iterates over them.

    Args:
        keys: in the order of insertion; a key met again keeps its place.
        hash_of: the 32-bit `hashCode` of a key.

    A bucket with more than eight keys in a map of 64 or more buckets becomes a tree in Java and
    may then iterate in another order; that is not reproduced.
    """
    spread = {key: (code := hash_of(key) & _WORD) ^ code >> 16 for key in keys}
    codes = list(spread.values())
    capacity = 16  # buckets, as many as in Java; a map that fills up doubles them
    load: Counter[int] = Counter()
    for size, code in enumerate(codes, start=1):
        load[code & capacity - 1] += 1
        crowded = load[code & capacity - 1] > 8 and capacity < 64
        if crowded or size > 0.75 * capacity:
            capacity *= 2
            load = Counter(earlier & capacity - 1 for earlier in codes[:size])
    return sorted(spread, key=lambda key: spread[key] & capacity - 1)


def double_repr(number: float) -> str:
    """`Double.toString`: the shortest digits that read back as the same number.

    Java before 19 writes superfluous digits for some magnitudes from 1e17 on and some subnormal
    numbers; that is not reproduced.

    >>> double_repr(0.0001), double_repr(1e7), double_repr(12.5), double_repr(-0.0)
    ('1.0E-4', '1.0E7', '12.5', '-0.0')
    """
    if not math.isfinite(number):
        return "NaN" if math.isnan(number) else "Infinity" if number > 0 else "-Infinity"
    if number == 0 or 1e-3 <= abs(number) < 1e7:
        return repr(float(number))
    sign, digits, exponent = Decimal(repr(float(number))).normalize().as_tuple()
    assert isinstance(exponent, int)
    first, rest = digits[0], "".join(map(str, digits[1:]))
    return f"{'-' * sign}{first}.{rest or '0'}E{exponent + len(rest)}"


def _int32(word: int) -> int:
    return (word & _WORD ^ 1 << 31) - (1 << 31)


def _int32_array(values: NDArray[np.int64]) -> NDArray[np.int64]:
    return (values & _WORD ^ 1 << 31) - (1 << 31)
