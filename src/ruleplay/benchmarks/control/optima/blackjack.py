"""Solve Blackjack-v1 by its rules: those of Sutton and Barto, an endless deck."""

from functools import cache

CARDS = {**dict.fromkeys(range(1, 10), 1 / 13), 10: 4 / 13}
BUST, GOAL, DEALER_STOPS = 0, 21, 17
ACE = 1


def with_card(total: int, usable: bool, card: int) -> tuple[int, bool]:
    """Return a hand's sum, and whether an ace counts 11, after one more card.

    >>> with_card(15, True, 10), with_card(8, False, 1)
    ((15, False), (19, True))
    """
    hard = total - 10 * usable + card
    has_ace = usable or card == ACE
    return (hard + 10, True) if has_ace and hard + 10 <= GOAL else (hard, False)


@cache
def dealer_ends(total: int, usable: bool) -> dict[int, float]:
    """Return the probability of each final sum of the dealer, 0 for a bust."""
    if total > GOAL:
        return {BUST: 1.0}
    if total >= DEALER_STOPS:
        return {total: 1.0}
    ends: dict[int, float] = {}
    for card, chance in CARDS.items():
        for end, p in dealer_ends(*with_card(total, usable, card)).items():
            ends[end] = ends.get(end, 0.0) + chance * p
    return ends


@cache
def stick(total: int, shown: int) -> float:
    """Return what sticking is worth against a dealer's card, for a hand that is no natural."""
    ends = dealer_ends(*with_card(0, False, shown))
    return sum(p * ((total > end) - (total < end)) for end, p in ends.items())


def stick_natural(shown: int) -> float:
    """Return what an ace and a ten are worth: only the same hand of the dealer is a draw."""
    partner = {ACE: 10, 10: ACE}.get(shown)
    return 1.0 - (CARDS[partner] if partner else 0.0)


@cache
def hit(total: int, usable: bool, shown: int) -> float:
    """Return what another card is worth."""
    worth = 0.0
    for card, chance in CARDS.items():
        after = with_card(total, usable, card)
        worth += chance * (-1.0 if after[0] > GOAL else value(*after, shown))
    return worth


def value(total: int, usable: bool, shown: int) -> float:
    """Return what a hand is worth, played as well as can be."""
    return max(stick(total, shown), hit(total, usable, shown))


def best_of_blackjack() -> float:
    """Return the mean of the best policy over all deals."""
    worth = 0.0
    for shown, p_shown in CARDS.items():
        for first, p_first in CARDS.items():
            for second, p_second in CARDS.items():
                hand = with_card(*with_card(0, False, first), second)
                natural = {first, second} == {ACE, 10}
                got = stick_natural(shown) if natural else value(*hand, shown)
                worth += p_shown * p_first * p_second * got
    return worth
