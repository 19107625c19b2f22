"""Fill in what the documentation takes from the code: tables of settings, in the built site.

A page says `<!-- settings: XCSConfig -->` or `<!-- seams -->` where a table is to
stand, and `# include: FILE` where code is that of a file.
"""

import re
from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path
from typing import Any

from ruleplay import config, kernels
from ruleplay.config.groups import GROUPS
from ruleplay.config.options import own_settings
from ruleplay.core.components.registry import Seam

ROOT = Path(__file__).parents[1]
INCLUDE = re.compile(r"^# include: (\S+)$", re.MULTILINE)
MARK = re.compile(r"<!-- settings: (\w+) -->")
HEAD = "| setting | default | what it does, and what is allowed |\n|---|---|---|\n"


def settings_table(name: str) -> str:
    """Return the settings of a configuration class as Markdown tables, one for each group."""
    cls = getattr(config, name)
    rows = {row.name.removeprefix(cls.setting_prefix): row for row in config.describe(cls)}
    tables = []
    for group in GROUPS if issubclass(cls, GROUPS) else ():
        own = [rows.pop(field.name) for field in fields(group)]
        tables.append(f"**{group_name(group)}**: {_first_line(group.__doc__)}\n\n{table(own)}")
    own = [rows.pop(field.name) for field in own_settings(cls) if field.name in rows]
    tables += [table(own)] if own else []
    if rows:
        title = "**Settings of components** that the ones above name or that these switch on"
        tables.append(f"{title}\n\n{table(rows.values())}")
    return "\n".join(tables)


def group_name(group: type) -> str:
    """Return the name of a group of settings: Fitness, Covering, ..."""
    return group.__name__.removesuffix("Settings")


def table(rows: Iterable[config.SettingRecord]) -> str:
    """Return a Markdown table of settings."""
    return HEAD + "".join(
        f"| `{row.name}`{in_brackets(row.symbol)} | `{row.default!r}` "
        f"| {row.doc} *{row.allowed}* |\n"
        for row in rows
    )


def in_brackets(symbol: str) -> str:
    """Return a symbol in brackets; nothing for nothing."""
    return f" (`{symbol}`)" if symbol else ""


def seams_table() -> str:
    """Return all seams, with the kernels that a component must have or may have."""
    found = [seam for seam in vars(kernels).values() if _is_seam(seam)]
    return "".join(
        f"**{seam.__name__}**: {_first_line(seam.__doc__)}\n\n"
        + "| kernel | what it is asked for |\n|---|---|\n"
        + "".join(_kernel_row(role) for role in seam.roles.values())
        + "\n"
        for seam in found
    )


def _is_seam(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, Seam)


def _kernel_row(role: Any) -> str:
    may = "" if role.default is None else " *May be left out.*"
    call = f"{role.name}({', '.join(role.parameters)})"
    return f"| `{call}` | {_first_line(role.doc)}{may} |\n"


def _first_line(doc: str | None) -> str:
    return (doc or "").strip().splitlines()[0].replace("|", "\\|")


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Put the tables where a page asks for them."""
    markdown = MARK.sub(lambda match: settings_table(match[1]), markdown)
    markdown = INCLUDE.sub(lambda match: (ROOT / match[1]).read_text().rstrip("\n"), markdown)
    return markdown.replace("<!-- seams -->", seams_table())
