"""Draw accuracy against the number of rules as a small picture within a page."""

from markupsafe import Markup

from ruleplay.learners.rule_list import RuleListFront
from ruleplay.report.svg import Frame, chart, tick_values

MOST_NUMBERS = 12  # of rules that stand below the chart


def draw_front(front: RuleListFront) -> Markup:
    """Return the drawing, of numbers and our own words."""
    lengths = [known.n_rules for known in front]
    training = [known.train_accuracy for known in front]
    held_out = [known.held_out_accuracy for known in front]
    ticks = tick_values(min(training + held_out), max(training + held_out))
    frame = Frame(lengths[0], lengths[-1], ticks[0], ticks[-1])
    chosen = front.of_length(front.chosen)
    step = -(-len(lengths) // MOST_NUMBERS)
    parts = [
        frame.ticks_up(ticks),
        frame.ticks_across(lengths[::step]),
        frame.line(list(zip(lengths, training, strict=True)), "curve faint"),
        frame.line(list(zip(lengths, held_out, strict=True)), "curve"),
        *(frame.dot(point, "dot") for point in zip(lengths, held_out, strict=True)),
        frame.dot((chosen.n_rules, chosen.held_out_accuracy), "dot shown", 6.0),
    ]
    return Markup(chart("Accuracy against the number of rules", "number of rules", parts))
