"""Say in plain words how good a model is, and what may be done if it is not."""

from ruleplay.cli.fitting.fitting import Fitted, Lesson, Measure, ShortList, most_frequent

FEW_ROWS = 10  # of a class, below which its figures say little
MANY_CLASSES = 30
NAMED = 5  # classes that a line names


def is_no_better(fitted: Fitted) -> bool:
    """Tell whether a model is right no more often than the simplest answer, by either measure."""
    if fitted.tested is None or fitted.usual is None:
        return False
    by_rows = fitted.tested.share.count <= fitted.usual.share.count
    return by_rows and (
        fitted.model.class_weight is None or fitted.tested.balanced <= fitted.usual.balanced
    )


def summary(fitted: Fitted, short: ShortList | None) -> str:
    """Sum up how often the model, its list and the simplest answer are right.

    Shares are said as so many of a hundred rows.
    """
    if fitted.tested is None or fitted.usual is None:
        return ""
    usual = most_frequent(fitted.lesson)
    if is_no_better(fitted):
        return f"the model is no better than always answering {usual!r}"
    low, high = fitted.tested.share.interval
    said = (
        f"of 100 new rows like these, {_of_hundred(fitted.tested)} will be answered rightly "
        f"({100 * low:.0f} to {100 * high:.0f}); always answering {usual!r} would be right in "
        f"{_of_hundred(fitted.usual)}"
    )
    if short is None or short.tested is None:
        return said
    count = short.chosen.n_rules
    what = f"the list of {count} rule{'' if count == 1 else 's'}" if count else "one answer"
    return f"{said}, {what} in {_of_hundred(short.tested)}"


def _of_hundred(measure: Measure) -> str:
    return f"about {100 * measure.accuracy:.0f}"


def class_remarks(lesson: Lesson) -> list[str]:
    """Say which classes have few rows to learn from, and what to do with very many classes."""
    counts = lesson.labels.value_counts()
    remarks = []
    few = counts[counts < FEW_ROWS]
    if len(few):
        named = ", ".join(f"{name!r} {count}" for name, count in few.iloc[:NAMED].items())
        more = ", ..." if len(few) > NAMED else ""
        are = "1 class has" if len(few) == 1 else f"{len(few)} classes have"
        remarks.append(
            f"{are} fewer than {FEW_ROWS} rows to learn from, and will hardly be recognised: "
            f"{named}{more}"
        )
    if len(counts) > MANY_CLASSES:
        remarks.append(
            f"{len(counts)} classes are many for rules, each of which speaks of one, and most may "
            "not be recognised: put those that belong together into one class, to have "
            f"{MANY_CLASSES} or fewer (of a table with 200 classes, 20 of 100 new rows were "
            "answered rightly, and 99 once ten classes each were one)"
        )
    return remarks
