"""Say in plain words how far a model of a quantity is off."""

from ruleplay.cli.fitting.quantity.fitting import FittedQuantity, ShortQuantityList


def is_no_better(fitted: FittedQuantity) -> bool:
    """Tell whether a model is as far off as the mean of all rows, in the digits that matter."""
    if fitted.tested is None or fitted.usual is None:
        return False
    off, usual = fitted.tested.error, fitted.usual.error
    return off >= usual or fitted.written(off) == fitted.written(usual)


def summary(fitted: FittedQuantity, short: ShortQuantityList | None) -> str:
    """Sum up how far the model, its list and the simplest answer are off."""
    if fitted.tested is None or fitted.usual is None:
        return ""
    told, mean = fitted.written, fitted.written(fitted.mean)
    if is_no_better(fitted):
        return f"the model is no better than always answering the mean, {mean}"
    said = (
        f"on new rows like these, answers will be off by about {told(fitted.tested.error)}; always "
        f"answering the mean, {mean}, would be off by {told(fitted.usual.error)}"
    )
    if short is None or short.tested is None:
        return said
    return f"{said}, {list_name(short)} by {told(short.tested.error)}"


def list_name(short: ShortQuantityList) -> str:
    """Say what answers: a list of so many rules, or one rule for all rows."""
    count = short.chosen.n_rules
    if not count:
        return "one rule for all rows"
    return f"the list of {count} rule{'' if count == 1 else 's'} and one for all other rows"
