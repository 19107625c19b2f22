"""Draw random numbers: xoshiro256++ on Python integers."""

from collections.abc import Iterable

MASK = 2**64 - 1


def rotate_left(word: int, places: int) -> int:
    """Rotate a 64-bit word."""
    return (word << places | word >> (64 - places)) & MASK


class RandomSource:
    """Hold one stream of random numbers."""

    def __init__(self, words: Iterable[int]) -> None:
        """Start from four 64-bit words."""
        self.words = [int(word) for word in words]

    def next(self) -> int:
        """Draw 64 random bits."""
        a, b, c, d = self.words
        drawn = (rotate_left((a + d) & MASK, 23) + a) & MASK
        shifted = (b << 17) & MASK
        c ^= a
        d ^= b
        b ^= c
        a ^= d
        c ^= shifted
        d = rotate_left(d, 45)
        self.words = [a, b, c, d]
        return drawn

    def uniform(self) -> float:
        """Draw a number from [0, 1), a multiple of 2**-53."""
        return (self.next() >> 11) * 2.0**-53

    def below(self, n: int) -> int:
        """Draw a whole number from 0 to n - 1."""
        return int(self.uniform() * n)
