"""Read, explain, compact, export and draw rules."""

from ruleplay.rules.compaction import METHODS, Compaction, compact
from ruleplay.rules.episodes import EpisodeScore
from ruleplay.rules.explain import Explanation, explain
from ruleplay.rules.maps import draw_map
from ruleplay.rules.ruleset import RuleSet
from ruleplay.rules.table import (
    COLUMNS,
    Names,
    Readable,
    names_of,
    rules_records,
    rules_table,
)
from ruleplay.rules.text import rules_text, sentences, value_digits
from ruleplay.rules.wording import fixed

__all__ = [
    "COLUMNS",
    "METHODS",
    "Compaction",
    "EpisodeScore",
    "Explanation",
    "Names",
    "Readable",
    "RuleSet",
    "compact",
    "draw_map",
    "explain",
    "fixed",
    "names_of",
    "rules_records",
    "rules_table",
    "rules_text",
    "sentences",
    "value_digits",
]
