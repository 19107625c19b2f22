"""A model file comes back as it was, or is refused with a sentence that says why."""

import contextlib
import copy
import hashlib
import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from property.samples import bytes_of, make_engine, quick, train
from ruleplay.config import ReplayConfig
from ruleplay.engine import XCS, model_file
from ruleplay.engine.state import EngineState
from ruleplay.envs import make_problem
from ruleplay.errors import ModelFileError
from ruleplay.testing.lives import live

pytestmark = [
    pytest.mark.interpreted,
    pytest.mark.uncompiled,
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
]

REPLAY = ReplayConfig(capacity=20, batch_size=2, warmup=5)
LINEAR = {"prediction": "linear", "replay": REPLAY}
KINDS = {"scalar": {}, "scalar-replay": {"replay": REPLAY}, "linear-replay": LINEAR}

START = 48  # bytes before the header


def small_engine(**settings):
    """Make an engine with some rules, in the middle of an episode."""
    engine = make_engine(
        2, 2, population_size=12, seed=5, about={"actions": ["a", "b"]}, **settings
    )
    rng = np.random.default_rng(0)
    for t in range(30):
        engine.step(rng.random(2), 1.0, terminated=t % 7 == 6)
    assert engine.state.arrays.state["has_previous"][0] == 1
    return engine


@pytest.fixture(scope="module")
def content():
    """Return the bytes of a sound file with replay."""
    return bytes_of(small_engine(replay=REPLAY))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "some.ruleplay"


def split(content):
    """Return header and payload."""
    length = int.from_bytes(content[8:16], "little")
    return json.loads(content[START : START + length]), content[START + length :]


def joined(header, payload):
    """Put a file together whose digest is right, whatever it says."""
    return content_of(json.dumps(header, sort_keys=True).encode(), payload)


def content_of(text, payload):
    digest = hashlib.sha256(text + payload).digest()
    return b"RULEPLAY" + len(text).to_bytes(8, "little") + digest + text + payload


def outcome(path):
    """Load a file: return the engine, or the sentence of its refusal, which names the file."""
    try:
        return XCS.load(path)
    except ModelFileError as error:
        message = str(error)
    assert message.startswith(f"{path}: ")
    assert "\n" not in message
    assert len(message) > len(f"{path}: ") + 10
    return message


def refusal(path):
    """Load a file that must be refused; return the sentence."""
    message = outcome(path)
    assert isinstance(message, str), "the file was loaded"
    return message


def assert_refused_or_same(path, content, original):
    """Accept a file only if it says what the original said."""
    path.write_bytes(content)
    found = outcome(path)
    assert isinstance(found, str) or bytes_of(found) == original


# --- what comes back ------------------------------------------------------------------------


@pytest.mark.parametrize("settings", KINDS.values(), ids=KINDS)
def test_a_file_holds_everything(settings, path):
    engine = small_engine(**settings)
    engine.save(path)
    loaded = XCS.load(path)
    assert (loaded.config, loaded.replay) == (engine.config, engine.replay)
    assert (loaded.seed, loaded.horizon, loaded.about) == (5, 0, {"actions": ["a", "b"]})
    assert (loaded.low.tolist(), loaded.high.tolist()) == ([0.0, 0.0], [1.0, 1.0])
    for name, values in engine.export().items():
        assert loaded.export()[name].tobytes() == values.tobytes(), name
    loaded.check()
    assert bytes_of(loaded) == path.read_bytes()


def test_an_engine_without_rules_comes_back(path):
    make_engine().save(path)
    assert XCS.load(path).macroclassifiers == 0


def test_a_file_contains_no_pickle(content):
    header, _ = split(content)
    assert header["format"] == model_file.FORMAT
    assert header["config"]["population_size"] == 12


def test_saving_replaces_the_old_file_and_leaves_nothing_else(path):
    path.write_bytes(b"old")
    engine = make_engine()
    engine.save(path)
    engine.save(str(path))
    assert os.listdir(path.parent) == [path.name]
    XCS.load(str(path))


@pytest.mark.parametrize("place", ["missing/some.ruleplay", "folder"])
def test_a_file_that_cannot_be_written_leaves_nothing_behind(place, tmp_path):
    (tmp_path / "folder").mkdir()
    with pytest.raises((OSError, ModelFileError)):
        make_engine().save(tmp_path / place)
    assert os.listdir(tmp_path) == ["folder"]
    assert os.listdir(tmp_path / "folder") == []


# --- damaged files --------------------------------------------------------------------------


def test_a_truncated_file_is_refused(content, path):
    for size in [*range(0, 64), *range(64, len(content), 97), len(content) - 1]:
        path.write_bytes(content[:size])
        refusal(path)


@pytest.mark.parametrize("tail", [b"\0", b"x" * 1000], ids=["one-byte", "many"])
def test_a_file_that_is_too_long_is_refused(content, path, tail):
    path.write_bytes(content + tail)
    refusal(path)


@pytest.mark.parametrize("bit", [0, 3, 7])
def test_a_flipped_bit_in_the_first_sixteen_bytes_is_refused(content, path, bit):
    for place in range(16):
        damaged = bytearray(content)
        damaged[place] ^= 1 << bit
        path.write_bytes(damaged)
        refusal(path)


def test_a_flipped_bit_in_the_header_is_refused(content, path):
    end = START + int.from_bytes(content[8:16], "little")
    for place in range(16, end, 3):
        damaged = bytearray(content)
        damaged[place] ^= 1 << (place // 3 % 7)
        assert_refused_or_same(path, bytes(damaged), content)


def test_a_flipped_bit_in_the_payload_is_refused(content, path):
    start = START + int.from_bytes(content[8:16], "little")
    for place in range(start, len(content), 61):
        damaged = bytearray(content)
        damaged[place] ^= 1 << (place % 8)
        path.write_bytes(damaged)
        refusal(path)


def changed_settings():
    """Name one change for each part of the header that a bit could spoil unnoticed."""
    return {
        "learning-rate": ("config", "learning_rate", 0.3),
        "population-size": ("config", "population_size", 13),
        "replay-batch": ("replay", "batch_size", 3),
        "seed": (None, "seed", 6),
        "horizon": (None, "horizon", 10),
        "low": (None, "low", [0.0, -1.0]),
        "high": (None, "high", [2.0, 1.0]),
        "about": (None, "about", {}),
        "stored": (None, "stored", 19),
    }


@pytest.mark.parametrize(
    ("part", "name", "value"), changed_settings().values(), ids=changed_settings()
)
def test_a_changed_header_does_not_pass_for_the_original(content, path, part, name, value):
    header, payload = split(content)
    owner = header if part is None else header[part]
    assert owner[name] != value
    owner[name] = value
    changed = joined(header, payload)
    path.write_bytes(changed[:16] + content[16:START] + changed[START:])
    refusal(path)


@st.composite
def mutations(draw):
    """Draw a function that damages bytes: overwrite, cut, insert, repeat."""
    edits = draw(
        st.lists(
            st.tuples(
                st.sampled_from(["overwrite", "cut", "insert", "double"]),
                st.floats(0, 1),
                st.binary(min_size=1, max_size=8),
            ),
            min_size=1,
            max_size=4,
        )
    )
    header_only = draw(st.booleans())

    def damage(content):
        for kind, where, piece in edits:
            end = START + int.from_bytes(content[8:10], "little") if header_only else len(content)
            place = int(where * min(end, len(content)))
            rest = content[place + len(piece) :]
            content = {
                "overwrite": content[:place] + piece + rest,
                "cut": content[:place] + rest,
                "insert": content[:place] + piece + content[place:],
                "double": content[:place] + content[place : place + 40] + content[place:],
            }[kind]
        return content

    return damage


@given(damage=mutations())
@quick(150)
def test_a_damaged_file_is_refused_or_unharmed(content, tmp_path_factory, damage):
    path = tmp_path_factory.mktemp("fuzz") / "damaged.ruleplay"
    assert_refused_or_same(path, damage(content), content)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


@given(data=st.data(), value=JSON)
@quick(150)
def test_any_value_in_a_header_is_refused_or_sound(content, tmp_path_factory, data, value):
    header, payload = split(content)
    name = data.draw(st.sampled_from(sorted(header)))
    if name in ("config", "replay") and data.draw(st.booleans()):
        header[name][data.draw(st.sampled_from(sorted(header[name])))] = value
    else:
        header[name] = value
    path = tmp_path_factory.mktemp("fuzz") / "damaged.ruleplay"
    path.write_bytes(joined(header, payload))
    found = outcome(path)
    if isinstance(found, XCS):
        found.check()


def test_a_header_without_one_of_its_parts_is_refused(content, path):
    header, payload = split(content)
    for name in header:
        path.write_bytes(joined({k: v for k, v in header.items() if k != name}, payload))
        refusal(path)


@pytest.mark.parametrize("depth", [50, 200, 500, 900, 950, 980, 990, 5_000, 100_000])
def test_a_deeply_nested_header_is_refused_or_sound(content, path, depth):
    header, payload = split(content)
    header["about"] = "HERE"
    text = json.dumps(header).replace('"HERE"', '{"a":' * depth + "1" + "}" * depth)
    path.write_bytes(content_of(text.encode(), payload))
    found = outcome(path)
    assert isinstance(found, str) or depth < 1000


def test_a_header_with_an_enormous_number_is_refused(content, path):
    header, payload = split(content)
    for name in ("seed", "n_actions", "horizon", "stored", "format"):
        text = json.dumps({**header, name: "HERE"}).replace('"HERE"', "9" * 5000)
        path.write_bytes(content_of(text.encode(), payload))
        refusal(path)


# --- foreign files --------------------------------------------------------------------------

FOREIGN = {
    "empty": b"",
    "text": b"population_size = 800\n" * 20,
    "zip": b"PK\x03\x04" + bytes(100),
    "png": b"\x89PNG\r\n\x1a\n" + bytes(100),
    "numpy": b"\x93NUMPY\x01\x00v\x00{'descr': '|O'}" + bytes(100),
    "pickle": b"\x80\x04\x95\x1f\x00\x00\x00\x00\x00\x00\x00\x8c\x05posix" + bytes(40),
    "magic-only": b"RULEPLAY",
    "no-header": content_of(b"", b""),
    "header-no-json": content_of(b"hello", b""),
    "header-no-utf8": content_of(b"\xff\xfe\x00\x80\x81", b""),
    "header-list": content_of(b"[]", b""),
    "header-empty": content_of(b"{}", b""),
}


@pytest.mark.parametrize("foreign", FOREIGN.values(), ids=FOREIGN)
def test_a_foreign_file_is_refused(foreign, path):
    path.write_bytes(foreign)
    refusal(path)


def test_a_missing_file_and_a_folder_are_refused(tmp_path):
    assert "No such file" in refusal(tmp_path / "nothing.ruleplay")
    assert "directory" in refusal(tmp_path).lower()


@pytest.mark.parametrize("version", [0, -1, 4, 99, "1", None, 1.5, True])
def test_another_version_is_refused_by_its_number(content, path, version):
    header, payload = split(content)
    header["format"] = version
    path.write_bytes(joined(header, payload))
    assert repr(version) in refusal(path)


def test_a_file_of_another_version_is_refused_even_if_it_is_sound(path, monkeypatch):
    monkeypatch.setattr(model_file, "FORMAT", 4)
    make_engine().save(path)
    monkeypatch.undo()
    assert "4" in refusal(path)


def test_a_file_of_the_first_format_goes_on_as_it_did_then():
    engine = XCS.load(Path(__file__).parents[2] / "data" / "format-1.ruleplay")
    assert engine.learning_steps == 200
    engine.run(make_problem("chain", n=5, time_limit=20), 50)
    engine.check()
    values = engine.predict([[1.0], [3.0]])
    assert values.tolist() == [[8.09172184799139, 3.619289452570208]] * 2


def test_a_file_of_the_second_format_goes_on_as_it_did_then():
    """It has notes of exploration, a copy of the rules, noted payoffs and strata."""
    path = Path(__file__).parents[2] / "data" / "format-2.ruleplay"
    engine = live(XCS.load(path), 40, seed=6)
    engine.check()
    learned = engine.export()["prediction"].tobytes() + engine.export()["fitness"].tobytes()
    assert hashlib.sha256(learned).hexdigest()[:16] == "4b54430a08f054f5"


def test_a_file_of_the_first_format_that_is_too_long_is_refused(path):
    old = (Path(__file__).parents[2] / "data" / "format-1.ruleplay").read_bytes()
    header, payload = split(old)
    path.write_bytes(joined(header, payload + bytes(16)))
    assert "payload must have" in refusal(path)


COUNTER_FAULTS = [
    ("stored", 2**63 - 1),
    ("time", 2**63 - 1),
    ("clock", 2**43),
    ("micro", -1),
    ("previous_action", 2),
    ("previous_value", 1e308),
    ("surprise", np.nan),
    ("reward_size", np.inf),
    ("payoff_size", -1.0),
    ("hope_ended", 2),
]
RULE_FAULTS = [
    ("set_size", 6.6e39),
    ("set_size", 1e308),
    ("experience", 2**63 - 1),
    ("time_stamp", -1),
    ("numerosity", 0),
    ("prediction", 1e308),
    ("error", np.inf),
    ("fitness", 1e30),
]


@pytest.mark.parametrize(("name", "value"), COUNTER_FAULTS)
def test_a_counter_beyond_its_range_is_refused(path, name, value):
    engine = small_engine(replay=REPLAY)
    engine.state.arrays.state[name] = value
    engine.save(path)
    assert name in refusal(path) or "memory must hold" in refusal(path)


@pytest.mark.parametrize(("name", "value"), RULE_FAULTS)
def test_a_rule_with_a_number_beyond_its_range_is_refused(path, name, value):
    engine = small_engine(replay=REPLAY)
    engine.state.arrays.population.rules[name][engine.places()[0]] = value
    engine.save(path)
    assert f"{name} must lie in" in refusal(path) or "micro" in refusal(path)


@pytest.mark.parametrize("name", ["weights", "gain"])
def test_a_linear_model_beyond_all_sense_is_refused(path, name):
    engine = small_engine(**LINEAR)
    getattr(engine.state.arrays.population, name)[engine.places()[0], 0] = 1e308
    engine.save(path)
    assert f"{name} must lie in" in refusal(path)


# --- sound files of unsound engines: the digest is right, the content is not ----------------


def forged(path, spoil, settings):
    """Save an engine after spoiling it, so that the file's digest fits its content."""
    engine = small_engine(**settings)
    spoil(engine)
    engine.save(path)
    return refusal(path)


def set_rule(name, value):
    def spoil(engine):
        column = engine.state.arrays.population.rules[name]
        column[engine.places()[0]] = value

    return spoil


def set_state(name, value):
    return lambda engine: engine.state.arrays.state.__setitem__(name, value)


def fill(get, value):
    return lambda engine: get(engine).fill(value)


RULE_DAMAGE = {
    f"{name}-{value}": set_rule(name, value)
    for name, values in {
        "prediction": [np.nan, np.inf],
        "error": [np.nan, np.inf, -1.0],
        "fitness": [np.nan, np.inf, -0.1],
        "set_size": [np.nan, 0.0, -5.0],
        "numerosity": [0, -1, 13, 2**62],
        "experience": [-1],
        "time_stamp": [2**40],
    }.items()
    for value in values
}


@pytest.mark.parametrize("spoil", RULE_DAMAGE.values(), ids=RULE_DAMAGE)
def test_a_rule_with_an_impossible_number_is_refused(spoil, path):
    forged(path, spoil, {})


@pytest.mark.parametrize("value", [np.nan, np.inf, -0.1, 1.5, 1e30])
def test_alleles_outside_the_unit_interval_are_refused(value, path):
    forged(path, lambda e: e.state.arrays.population.alleles.__setitem__((0, 0), value), {})


def overflow_numerosities(engine):
    """Make numerosities whose sum wraps round to the right total."""
    column, places = engine.state.arrays.population.rules["numerosity"], engine.places()
    column[places[:4]] += 2**62


STATE_DAMAGE = {
    f"{name}-{value}": set_state(name, value)
    for name, values in {
        "micro": [0, 13],
        "fitness_sum": [np.nan, 5.0],
        "volume_sum": [np.nan, -1.0],
        "clock": [-1],
        "time": [-1],
        "stored": [-1],
        "has_previous": [3, -1],
        "previous_action": [2, -1, 10**9],
        "previous_value": [np.nan, np.inf],
    }.items()
    for value in values
}


@pytest.mark.parametrize("spoil", STATE_DAMAGE.values(), ids=STATE_DAMAGE)
def test_a_counter_with_an_impossible_number_is_refused(spoil, path):
    forged(path, spoil, {"replay": REPLAY})


ARRAY_DAMAGE = {
    "wrapped-numerosities": (overflow_numerosities, {}),
    "identical-rules": (
        lambda e: e.state.arrays.population.alleles.__setitem__(
            e.places()[1], e.state.arrays.population.alleles[e.places()[0]]
        ),
        {},
    ),
    "previous-state-nan": (fill(lambda e: e.state.arrays.scratch.previous, np.nan), {}),
    "previous-state-outside": (fill(lambda e: e.state.arrays.scratch.previous, 1.5), {}),
    "dead-agent-stream": (fill(lambda e: e.state.arrays.rng, 0), {}),
    "dead-environment-stream": (fill(lambda e: e.state.arrays.env_rng, 0), {}),
    "dead-replay-stream": (fill(lambda e: e.state.memory.rng, 0), {"replay": REPLAY}),
    "weights-nan": (fill(lambda e: e.state.arrays.population.weights, np.nan), LINEAR),
    "gain-inf": (fill(lambda e: e.state.arrays.population.gain, np.inf), LINEAR),
    "memory-states": (fill(lambda e: e.state.memory[0], 1.01), {"replay": REPLAY}),
    "memory-actions": (fill(lambda e: e.state.memory[1], 2), {"replay": REPLAY}),
    "memory-rewards": (fill(lambda e: e.state.memory[2], np.nan), {"replay": REPLAY}),
    "memory-next-states": (fill(lambda e: e.state.memory[3], -1.0), {"replay": REPLAY}),
    "memory-flags": (fill(lambda e: e.state.memory[4], 7), {"replay": REPLAY}),
}


@pytest.mark.parametrize(("spoil", "settings"), ARRAY_DAMAGE.values(), ids=ARRAY_DAMAGE)
def test_arrays_with_impossible_values_are_refused(spoil, settings, path):
    forged(path, spoil, settings)


def replace_setting(owner, **changes):
    """Change settings of an engine behind the back of their checks."""

    def spoil(engine):
        settings = copy.copy(getattr(engine, owner))
        for name, value in changes.items():
            object.__setattr__(settings, name, value)
        setattr(engine, owner, settings)

    return spoil


MISFITS = {
    "more-rules-than-the-population-holds": replace_setting("config", population_size=3),
    "fewer-experiences-than-stored": replace_setting("replay", capacity=50),
    "theta-mna-above-the-actions": replace_setting("config", min_actions=3),
    "no-replay": lambda e: setattr(e, "replay", None),
    "one-action-more": lambda e: setattr(e, "n_actions", 3),
    "no-actions": lambda e: setattr(e, "n_actions", 0),
    "one-feature-more": lambda e: vars(e).update(low=np.zeros(3), high=np.ones(3)),
    "empty-range": lambda e: setattr(e, "high", np.array([0.0, 1.0])),
    "negative-seed": lambda e: setattr(e, "seed", -1),
}


@pytest.mark.parametrize("spoil", MISFITS.values(), ids=MISFITS)
def test_a_header_that_does_not_fit_its_payload_is_refused(spoil, path):
    forged(path, spoil, {"replay": REPLAY})


def test_experiences_that_a_file_claims_but_lacks_are_refused(path, monkeypatch):
    engine = small_engine(replay=REPLAY)
    assert engine.state.arrays.state["stored"][0] > 20
    with monkeypatch.context() as patch:
        patch.setattr(EngineState, "remembered", 5)
        engine.save(path)
    refusal(path)


# --- sizes ----------------------------------------------------------------------------------


def test_an_oversized_header_is_refused_before_it_is_read(content, path):
    for length in (2**24 + 1, 2**40, 2**63, 2**64 - 1):
        path.write_bytes(b"RULEPLAY" + length.to_bytes(8, "little") + content[16:])
        assert "header" in refusal(path)


# What a file declares, and whether it must be refused; else loading may be frugal instead.
HUGE = {
    "population-2**31": (replace_setting("config", population_size=2**31), True),
    "population-2**62": (replace_setting("config", population_size=2**62), True),
    "population-2e7": (replace_setting("config", population_size=20_000_000), False),
    "capacity-1e9": (replace_setting("replay", capacity=10**9), True),
    "capacity-2**62": (replace_setting("replay", capacity=2**62), True),
    "actions-1e6": (lambda e: setattr(e, "n_actions", 10**6), True),
    "actions-2**31": (lambda e: setattr(e, "n_actions", 2**31 - 1), True),
    "features-1e4": (lambda e: vars(e).update(low=np.zeros(10**4), high=np.ones(10**4)), True),
}
WATCH = """
    import resource, sys
    resource.setrlimit(resource.RLIMIT_AS, (2**34, 2**34))  # a failing test must not harm
    from ruleplay.engine import XCS
    from ruleplay.errors import ModelFileError

    def peak():  # in megabytes; rusage would count the parent process, too
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) // 1024 for line in status if "VmHWM" in line)

    XCS.load(sys.argv[1])  # compiled code takes memory, too
    for path in sys.argv[2:]:
        before = peak()
        try:
            XCS.load(path)
            print(peak() - before, "loaded")
        except ModelFileError as error:
            print(peak() - before, error)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="measures memory as Linux reports it")
def test_a_huge_declared_size_takes_no_memory(content, tmp_path):
    sound = tmp_path / "sound.ruleplay"
    sound.write_bytes(content)
    paths = []
    for name, (spoil, _) in HUGE.items():
        engine = small_engine(replay=REPLAY)
        spoil(engine)
        paths.append(tmp_path / f"{name}.ruleplay")
        engine.save(paths[-1])
    command = [sys.executable, "-c", textwrap.dedent(WATCH), str(sound), *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    for path, line, (_, must_refuse) in zip(
        paths, done.stdout.splitlines(), HUGE.values(), strict=True
    ):
        megabytes, _, message = line.partition(" ")
        assert message.startswith(f"{path}: ") or not must_refuse, line
        assert int(megabytes) < 64, line


def test_nothing_in_a_file_is_executed(content, path, monkeypatch):
    """Loading must not unpickle, evaluate or import what a file says."""

    def refuse(*args, **kwargs):
        raise AssertionError("loading executed something")

    import builtins
    import pickle

    for module, name in ((pickle, "loads"), (pickle, "load"), (builtins, "eval")):
        monkeypatch.setattr(module, name, refuse)
    path.write_bytes(content)
    with contextlib.suppress(ModelFileError):
        XCS.load(path)


def test_training_goes_on_after_loading(path):
    engine = train(make_engine(replay=REPLAY), 100)
    engine.save(path)
    loaded = XCS.load(path)
    train(engine, 50)
    train(loaded, 50)
    assert bytes_of(loaded) == bytes_of(engine)
