"""Write numbers the way a reader wants them."""

import math
from collections.abc import Callable

from ruleplay.experiments.stats import Interval

DASH = "\N{EN DASH}"
ARROWS = {"up": "↑", "down": "↓", None: ""}


def stars(p: float) -> str:
    """Mark significance as the paper does: `*` below 5 %, `**` below 1 %."""
    return "**" if p < 0.01 else "*" if p < 0.05 else ""


def number(value: float, digits: int = 4) -> str:
    """Write a number with a number of significant digits, in powers of ten if far from 1.

    >>> number(2151.764), number(0.03126), number(3.4567e-7), number(1.2e21)
    ('2152', '0.03126', '3.457e-7', '1.2e21')
    """
    if not math.isfinite(value):
        return DASH if math.isnan(value) else "∞" if value > 0 else "-∞"
    if value != 0 and not 1e-3 <= abs(value) < 1e6:
        return _power(f"{value:.{digits - 1}e}")
    decimals = digits - 1 - (math.floor(math.log10(abs(value))) if value else 0)
    return f"{value:.{max(decimals, 0)}f}"


def mean_sd(mean: float, sd: float) -> str:
    """Write a mean and its standard deviation to the same last digit.

    >>> mean_sd(959.666, 1.7234), mean_sd(3.4567e-7, 1.35e-7), mean_sd(0.56, 0.3712)
    ('959.7 ± 1.7', '(3.5 ± 1.4)e-7', '0.56 ± 0.37')
    """
    if math.isnan(sd):  # of a single run
        return number(mean)
    if not (math.isfinite(mean) and math.isfinite(sd)):
        return f"{number(mean)} ± {number(sd)}"
    size = max(abs(mean), sd)
    if size != 0 and not 1e-3 <= size < 1e6:
        exponent = math.floor(math.log10(size))
        scale = 10.0**exponent
        decimals = _decimals(sd / scale)
        return f"({mean / scale:.{decimals}f} ± {sd / scale:.{decimals}f})e{exponent}"
    decimals = _decimals(sd)
    return f"{mean:.{decimals}f} ± {sd:.{decimals}f}"


def p_value(p: float) -> str:
    """Write a p-value with three digits and its stars."""
    if math.isnan(p):
        return DASH
    return ("<0.001" if p < 0.0005 else f"{p:.3f}") + stars(p)


def interval(bounds: Interval, write: Callable[[float], str] = number) -> str:
    """Write an interval, `[low, high]`."""
    if math.isnan(bounds[0]):
        return DASH
    return f"[{write(bounds[0])}, {write(bounds[1])}]"


def fixed(share: float) -> str:
    """Write a share or a probability with two decimals."""
    return DASH if math.isnan(share) else f"{share:.2f}"


def signed(value: float, digits: int = 1) -> str:
    """Write a number with its sign; what rounds to zero has none.

    >>> signed(1.25), signed(-0.01), signed(-3.0)
    ('+1.2', '0.0', '-3.0')
    """
    if not math.isfinite(value):
        return number(value)
    return f"{value:+.{digits}f}" if round(value, digits) else f"{0:.{digits}f}"


def whole(value: float) -> str:
    """Write a number without decimals."""
    return DASH if math.isnan(value) else f"{value:.0f}"


def show_seeds(seeds: tuple[int, ...]) -> str:
    """Write seeds in ranges.

    >>> show_seeds((0, 1, 2, 5, 7, 8))
    '0-2, 5, 7-8'
    """
    ranges: list[list[int]] = []
    for seed in seeds:
        if ranges and seed == ranges[-1][-1] + 1:
            ranges[-1].append(seed)
        else:
            ranges.append([seed])
    return ", ".join(f"{r[0]}-{r[-1]}" if len(r) > 1 else str(r[0]) for r in ranges)


def _decimals(sd: float) -> int:
    """Count the decimals that show two digits of a standard deviation, at most six."""
    if sd <= 0:
        return 2
    return min(max(1 - math.floor(math.log10(sd)), 0), 6)


def _power(text: str) -> str:
    """Shorten `1.200e+21` to `1.2e21`."""
    mantissa, exponent = text.split("e")
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    return f"{mantissa}e{int(exponent)}"
