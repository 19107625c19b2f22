"""What all pages are made of: templates, styles, scripts, and a policy that allows no more."""

import base64
import hashlib
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

import ruleplay
from ruleplay.output.files import MAKER
from ruleplay.output.harmless import visible

LIBRARY = "uPlot.iife.min.js"

# Scripts in the order in which they need each other.
RULES = (
    "page",
    "tables",
    "packing",
    "models",
    "quantities",
    "rules",
    "slices",
    "planes",
    "maps",
    "decision_maps",
    "quantity_maps",
    "curves",
    "votes",
    "quantity_reasons",
    "rule_table",
    "observation",
    "course",
    "explorer",
)
CHARTS = ("charts",)


def render(
    template: str,
    scripts: tuple[str, ...],
    *,
    package: str | None = None,
    own_scripts: tuple[str, ...] = (),
    **values: Any,
) -> str:
    """Return a page that contains everything it needs.

    A package may have templates and scripts of its own; these scripts follow the others.
    """
    own = [] if package is None else [PackageLoader(package, "")]
    environment = Environment(
        loader=ChoiceLoader([*own, PackageLoader("ruleplay.report")]),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        finalize=_visible,
    )
    texts = [_text("scripts", f"{name}.js") for name in scripts]
    texts += [_text("", f"{name}.js", package) for name in own_scripts if package is not None]
    chosen = [_text("assets", LIBRARY), "\n".join(texts)]
    return environment.get_template(template).render(
        maker=MAKER,
        version=ruleplay.__version__,
        policy=_policy(chosen),
        library_style=Markup(_text("assets", "uPlot.min.css")),
        library_licence=escape(_text("assets", "uPlot-LICENSE.txt")),
        scripts=[Markup(script) for script in chosen],
        **values,
    )


def _visible(value: Any) -> Any:
    """Spell out harmful signs of plain text; what is markup is ours."""
    return visible(value) if isinstance(value, str) and not hasattr(value, "__html__") else value


def _policy(scripts: list[str]) -> str:
    """Return the policy under which just these scripts run, and nothing is fetched or sent."""
    hashes = [base64.b64encode(hashlib.sha256(s.encode()).digest()).decode() for s in scripts]
    allowed = " ".join(f"'sha256-{value}'" for value in hashes)
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


@cache
def _text(folder: str, name: str, package: str = "ruleplay.report") -> str:
    """Read a file that comes with a package."""
    return (files(package) / folder / name).read_text(encoding="utf-8").strip()
