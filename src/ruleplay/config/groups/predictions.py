"""What rules predict with."""

from dataclasses import dataclass

from ruleplay.config.fields import param
from ruleplay.core.components.seams import Prediction
from ruleplay.core.state.described import LARGEST_GAIN, LARGEST_PAYOFF
from ruleplay.errors import ConfigError


@dataclass(frozen=True, kw_only=True)
class PredictionSettings:
    """Set the prediction of a rule: a number, or a model that recursive least squares fits."""

    prediction: str = param(
        "scalar",
        seam=Prediction,
        doc="What a rule predicts with: a number (Widrow-Hoff), a linear or quadratic model (RLS).",
    )
    rls_initial_gain: float = param(
        1.0,
        "delta_RLS",
        above=0,
        at_most=1e6,
        doc="Diagonal of the first gain matrix of a model.",
    )
    rls_forgetting: float = param(
        1.0, "lambda_RLS", above=0, at_most=1, doc="Forgetting factor of recursive least squares."
    )
    rls_gain_limit: float | None = param(
        None,
        above=0,
        kernel="gain_limit",
        absent=LARGEST_GAIN,
        doc="Mean diagonal above which a gain matrix is reset; None: 1e8.",
    )
    prediction_limit: float | None = param(
        None,
        above=0,
        absent=LARGEST_PAYOFF,
        doc="Largest size of a model's prediction; None: unlimited.",
    )

    def check_gain_limit(self) -> None:
        """Refuse a limit that the first gain matrix exceeds."""
        first, limit = self.rls_initial_gain, self.rls_gain_limit
        if limit is not None and limit <= first:
            raise ConfigError(
                f"rls_gain_limit must lie in ({first:g}, inf) "
                f"for rls_initial_gain (delta_RLS) = {first:g}, got {limit:g}"
            )

    def check_prediction_limit(self, p_ini: float) -> None:
        """Refuse a limit that cuts the prediction of a covering rule."""
        limit, first = self.prediction_limit, abs(p_ini)
        if limit is not None and limit < first:
            raise ConfigError(
                f"prediction_limit must lie in [{first:g}, inf) "
                f"for initial_prediction (p_ini) = {p_ini:g}, got {limit:g}"
            )
