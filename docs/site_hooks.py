"""Fill in what the documentation takes from the code: tables of settings, in the built site.

A page says `<!-- settings: XCSConfig -->` where the table is to stand.
"""

import re
from typing import Any

from ruleplay import config

MARK = re.compile(r"<!-- settings: (\w+) -->")
HEAD = "| setting | default | what it does, and what is allowed |\n|---|---|---|\n"


def settings_table(name: str) -> str:
    """Return the settings of a configuration class as a Markdown table."""
    rows = config.describe(getattr(config, name))
    return HEAD + "".join(
        f"| `{row.name}`{in_brackets(row.symbol)} | `{row.default!r}` "
        f"| {row.doc} *{row.allowed}* |\n"
        for row in rows
    )


def in_brackets(symbol: str) -> str:
    """Return a symbol in brackets; nothing for nothing."""
    return f" (`{symbol}`)" if symbol else ""


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Put the tables where a page asks for them."""
    return MARK.sub(lambda match: settings_table(match[1]), markdown)
