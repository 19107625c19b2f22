r"""Make other people's texts harmless where they are shown: on a terminal, in a spreadsheet.

Names of features, classes and categories come from files. They are kept as they are; what
they may do to whoever looks at them is decided here.
"""

import re
from typing import Any

# Signs that steer a terminal, end a line, turn the direction of writing round, or are half a
# sign or none, which pictures in XML must not hold: controls (C0, C1), directional marks,
# separators of lines, surrogates, codes that are no characters.
_HARMFUL = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
    "\ufdd0-\ufdef\ufffe\uffff]"
)
_ASCII = str.maketrans({"≤": "<=", "≥": ">=", "→": "->", "±": "+-", "·": "."})
_SHORT = {"\t": r"\t", "\n": r"\n", "\r": r"\r"}
_STEERING = re.compile("[=+\\-@\t\r\n]")  # how a cell begins that spreadsheets compute
_GUARDED = re.compile("'+[=+\\-@\t\r\n]")


def visible(text: str) -> str:
    r"""Return text of one line in which harmful signs are spelled out; others stay.

    >>> visible("New\xa0York"), visible("\x1b[2J"), visible("a\u202eb")
    ('New\xa0York', '\\x1b[2J', 'a\\u202eb')
    """
    return _HARMFUL.sub(lambda found: _spelled(found[0]), text)


def visible_json(text: str) -> str:
    r"""Return JSON that says the same with harmful signs spelled as JSON does.

    >>> visible_json('{"a": "\x9b"}')
    '{"a": "\\u009b"}'
    """
    return "\n".join(
        _HARMFUL.sub(lambda found: f"\\u{ord(found[0]):04x}", line) for line in text.split("\n")
    )


def encodable(text: str, encoding: str) -> str:
    r"""Return text in signs that an encoding has: plain ones for ours, others spelled out.

    >>> print(encodable("x ≤ Zürich", "ascii"))
    x <= Z\xfcrich
    """
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.translate(_ASCII).encode(encoding, "backslashreplace").decode(encoding)
    return text


def guarded_cell(value: Any) -> Any:
    """Return what a table's cell may hold: text that spreadsheets compute gets an apostrophe.

    >>> [guarded_cell(value) for value in ("=1+1", "-1.5", "ok", "'=x", -2)]
    ["'=1+1", '-1.5', 'ok', "''=x", -2]
    """
    if not isinstance(value, str) or not value[1:] or _is_number(value):
        return value
    return f"'{value}" if _STEERING.match(value) or _GUARDED.match(value) else value


def plain_cell(text: str) -> str:
    """Return the text that `guarded_cell` was given.

    >>> [plain_cell(guarded_cell(text)) for text in ("=1+1", "'=x", "'s", "-1")]
    ['=1+1', "'=x", "'s", '-1']
    """
    return text[1:] if _GUARDED.match(text) else text


def _spelled(sign: str) -> str:
    code = ord(sign)
    return _SHORT.get(sign) or (f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}")


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
