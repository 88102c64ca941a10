"""Masks of bits, plain and in one machine instruction each."""

from __future__ import annotations

from typing import Any


def lowest_bit(mask: int) -> int:
    """Gets the number of the lowest bit set in a mask that is not zero.

    >>> lowest_bit(0b10100)
    2
    """
    return (mask & -mask).bit_length() - 1


def count_bits(mask: int) -> int:
    """Counts the bits set in a mask.

    >>> count_bits(0b10100)
    2
    """
    return mask.bit_count()


def teach_numba() -> None:
    """Gives Numba one machine instruction each for `lowest_bit` and `count_bits`."""
    from numba import types
    from numba.extending import intrinsic, overload

    def one_instruction(name: str, *flags: int) -> Any:
        def typed(typing: Any, mask: Any) -> Any:
            def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                constants = [context.get_constant(types.boolean, flag) for flag in flags]
                return getattr(builder, name)(args[0], *constants)

            return types.int64(types.int64), build

        return intrinsic(typed)

    cttz = one_instruction("cttz", True)
    ctpop = one_instruction("ctpop")

    @overload(lowest_bit, inline="always")
    def _lowest_bit(mask: Any) -> Any:
        def found(mask: Any) -> Any:
            return cttz(mask)

        return found

    @overload(count_bits, inline="always")
    def _count_bits(mask: Any) -> Any:
        def counted(mask: Any) -> Any:
            return ctpop(mask)

        return counted
