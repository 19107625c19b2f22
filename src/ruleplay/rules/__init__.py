"""Read, explain, compact, export and draw rules."""

from ruleplay.rules.by_hand.reading import read_rules
from ruleplay.rules.by_hand.rule import Rule
from ruleplay.rules.compaction.episodes import EpisodeScore
from ruleplay.rules.compaction.methods import METHODS, Compaction, compact
from ruleplay.rules.drawing.importance import draw_importance
from ruleplay.rules.drawing.maps import draw_map
from ruleplay.rules.drawing.reliability import draw_reliability
from ruleplay.rules.explain import Explanation, explain
from ruleplay.rules.features import Feature, Outcome, Readable
from ruleplay.rules.reading import rules_records, rules_table, rules_text
from ruleplay.rules.ruleset import RuleSet
from ruleplay.rules.table import COLUMNS
from ruleplay.rules.text import reading_sentence, sentences, value_digits
from ruleplay.rules.wording import fixed

__all__ = [
    "COLUMNS",
    "METHODS",
    "Compaction",
    "EpisodeScore",
    "Explanation",
    "Feature",
    "Outcome",
    "Readable",
    "Rule",
    "RuleSet",
    "compact",
    "draw_importance",
    "draw_map",
    "draw_reliability",
    "explain",
    "fixed",
    "read_rules",
    "reading_sentence",
    "rules_records",
    "rules_table",
    "rules_text",
    "sentences",
    "value_digits",
]
