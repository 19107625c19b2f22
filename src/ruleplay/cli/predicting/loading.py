"""Read a model that answers about the rows of a table."""

from pathlib import Path

from ruleplay.cli.predicting.predictor import Predictor
from ruleplay.cli.predicting.quantity import QuantityPredictor
from ruleplay.cli.reading import views
from ruleplay.errors import ConfigError

AnyPredictor = Predictor | QuantityPredictor


def load(path: Path, max_rules: int | None, *, all_rules: bool) -> AnyPredictor:
    """Read a model of classes, or of a quantity."""
    view = views.load(path)
    listed = None if all_rules else views.shortened(view, max_rules).listed
    if view.regressor is not None:
        return QuantityPredictor(view.name, view.regressor, view.rules, listed)
    if view.classifier is None:
        raise ConfigError(f"{path} is not a model that classifies, such as `ruleplay fit` makes")
    return Predictor(view.name, view.classifier, view.rules, listed)
