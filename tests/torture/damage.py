"""Ways to damage a file: blindly, or with care, so that digests and sizes still fit."""

import copy
import hashlib
import json
import math
from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

import numpy as np

from ruleplay.engine.model_file import START

INTEGERS = [0, 1, -1, 2, 255, 2**31 - 1, 2**31, -(2**31), 2**53, 2**62, 2**63 - 1, -(2**63)]
FLOATS = [0.0, -0.0, 0.5, 1.0, -1.0, 1e16, 1e39, 6.6e39, 3.4e38, 1e300, 1e308, -1e308]
FLOATS += [5e-324, 1e-300, 1e-39, math.nan, math.inf, -math.inf]
DEPTH = 20_000  # more than any parser that calls itself can bear


# --- blindly ---------------------------------------------------------------------------------


def flip_bits(content: bytes, random: Random) -> bytes:
    changed = bytearray(content)
    for _ in range(random.choice([1, 1, 1, 2, 8])):
        changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def cut(content: bytes, random: Random) -> bytes:
    first, last = sorted(random.randrange(len(content) + 1) for _ in range(2))
    return random.choice([content[:first], content[last:], content[:first] + content[last:]])


def insert(content: bytes, random: Random) -> bytes:
    place = random.randrange(len(content) + 1)
    junk = random.randbytes(random.choice([1, 7, 8, 64, 4096]))
    junk = random.choice([junk, bytes(len(junk)), b"\xff" * len(junk), b'"' * len(junk)])
    return content[:place] + junk + content[place:]


def swap_blocks(content: bytes, random: Random) -> bytes:
    a, b, c, d = sorted(random.randrange(len(content) + 1) for _ in range(4))
    return content[:a] + content[c:d] + content[b:c] + content[a:b] + content[d:]


def overwrite(content: bytes, random: Random) -> bytes:
    place, size = random.randrange(len(content)), random.choice([1, 4, 8, 100])
    junk = random.choice([bytes(size), b"\xff" * size, random.randbytes(size)])
    return content[:place] + junk + content[place + size :]


BLIND: list[Callable[[bytes, Random], bytes]] = [flip_bits, cut, insert, swap_blocks, overwrite]


def damage_blindly(content: bytes, random: Random) -> tuple[bytes, str]:
    """Return damaged bytes and what was done."""
    way = random.choice(BLIND)
    return way(content, random), way.__name__


# --- values in JSON --------------------------------------------------------------------------


def extreme(random: Random) -> Any:
    """Return a value that fits nowhere, or hardly."""
    return random.choice(
        [
            random.choice(INTEGERS),
            random.choice(FLOATS),
            random.choice([2**64, 10**30, None, True, False, "", [], {}, [[]], "NaN", "1"]),
            random.choice(["x" * 100_000, "\0", "\ud800", "\u202e", "<script>", [0] * 10_000]),
        ]
    )


def change_json(document: Any, random: Random) -> tuple[Any, str]:
    """Return a copy with one value, somewhere, set, removed, doubled or added."""
    changed = copy.deepcopy(document)
    path = random.choice(list(_paths(changed)))
    holder = changed
    for key in path[:-1]:
        holder = holder[key]
    key, way = path[-1], random.choice(["set", "set", "set", "near", "remove", "rename", "nest"])
    value = holder[key]
    if way == "remove":
        del holder[key]
    elif way == "rename" and isinstance(holder, dict):
        holder[random.choice(["", "format", str(key) + "x", "seed"])] = holder.pop(key)
    elif way == "nest":
        holder[key] = {"value": [value]}
    elif way == "near" and type(value) in (int, float):
        holder[key] = random.choice([value + 1, value - 1, -value, value * 2, float(value), value])
    else:
        holder[key] = extreme(random)
    shown = repr(holder.get(key) if isinstance(holder, dict) else holder[key : key + 1])[:40]
    return changed, f"{way} {'.'.join(map(str, path))} {shown}"


def _paths(document: Any, so_far: tuple[Any, ...] = ()) -> Any:
    """Yield the way to every value; of long lists, to the first and last few."""
    items: list[Any] = []
    if isinstance(document, dict):
        items = list(document.items())
    elif isinstance(document, list):
        items = list(enumerate(document))
        items = items[:3] + items[-2:] if len(items) > 5 else items
    for key, value in items:
        yield (*so_far, key)
        yield from _paths(value, (*so_far, key))


def nested(random: Random) -> str:
    """Return text that is nested too deeply."""
    depth = random.choice([10, 900, 1100, DEPTH])
    return random.choice(["[" * depth + "]" * depth, '{"a":' * depth + "0" + "}" * depth])


def damage_json(text: str, random: Random) -> tuple[str, str]:
    """Return JSON text with a changed value, or one that is nested too deeply."""
    if random.random() < 0.02:
        return nested(random), "nested"
    changed, what = change_json(json.loads(text), random)
    return json.dumps(changed, ensure_ascii=random.random() < 0.9), what


# --- model files -----------------------------------------------------------------------------


class Field(NamedTuple):
    """Where an array of an engine lies in its payload."""

    name: str
    offset: int
    dtype: np.dtype[Any]
    count: int


def payload_fields(engine: Any) -> list[Field]:
    """List the arrays of an engine's file in their order."""
    from ruleplay.engine.model_file import _parts

    fields, offset = [], 0
    for number, (_, array) in enumerate(_parts(engine)):
        fields.append(Field(f"array {number}", offset, array.dtype, array.size))
        offset += array.nbytes
    return [field for field in fields if field.count]


def split_model(content: bytes) -> tuple[dict[str, Any], bytes]:
    """Return header and payload of a healthy model file."""
    length = int.from_bytes(content[8:16], "little")
    return json.loads(content[START : START + length]), content[START + length :]


def join_model(header: Any, payload: bytes) -> bytes:
    """Return a model file whose sizes and digest are right."""
    text = header if isinstance(header, bytes) else json.dumps(header, sort_keys=True).encode()
    digest = hashlib.sha256(text + payload).digest()
    return b"RULEPLAY" + len(text).to_bytes(8, "little") + digest + text + payload


def forge_model(content: bytes, fields: list[Field], random: Random) -> tuple[bytes, str]:
    """Return a model file with one odd value and a digest that fits, and what was done."""
    header, payload = split_model(content)
    choice = random.random()
    if choice < 0.35:
        changed, what = change_json(header, random)
        return join_model(changed, payload), f"header: {what}"
    if choice < 0.37:
        return join_model(nested(random).encode(), payload), "header: nested"
    if choice < 0.42:
        damaged, what = damage_blindly(payload, random)
        return join_model(header, damaged), f"payload: {what}"
    records = [field for field in fields if field.dtype.names]  # rules and counters: small, vital
    chosen = records if random.random() < 0.5 else fields
    changed_payload, what = set_number(payload, random.choice(chosen), random)
    if random.random() < 0.15:
        changed_payload, more = set_number(changed_payload, random.choice(chosen), random)
        what += f", {more}"
    return join_model(header, changed_payload), what


def set_number(payload: bytes, field: Field, random: Random) -> tuple[bytes, str]:
    """Return a payload with one number, or all of one column, set to an extreme."""
    content = bytearray(payload)
    values = np.frombuffer(content, field.dtype, field.count, field.offset)
    name = field.name
    if field.dtype.names:
        column = random.choice(field.dtype.names)
        values, name = values[column], f"{name}.{column}"
    place: Any = slice(None) if random.random() < 0.2 else random.randrange(field.count)
    number = random.choice(FLOATS if values.dtype.kind == "f" else INTEGERS)
    with np.errstate(all="ignore"):
        odd = np.array([number]).astype(values.dtype)
    values[place] = odd[0]
    return bytes(content), f"{name}{'' if place == slice(None) else f'[{place}]'} = {number}"
