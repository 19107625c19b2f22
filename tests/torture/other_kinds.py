"""Files that hold no engine: lists of rules, presets, stores, logs of runs, tables."""

import json
import re
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from typer.testing import CliRunner

import ruleplay.presets
from ruleplay.cli import app
from ruleplay.cli.running.log import RunFollower, RunLog
from ruleplay.cli.terminal.output import finite
from ruleplay.errors import ConfigError
from ruleplay.experiments.live import StudyFollower
from ruleplay.experiments.spec import specify_run
from ruleplay.experiments.storage.store import Store
from ruleplay.experiments.trial import Failure
from ruleplay.report.explorer import render_explorer
from ruleplay.rules import RuleSet, compact, explain
from tiny_study import made_up_trial, tiny_spec
from torture.damage import FLOATS, INTEGERS, change_json, damage_blindly, damage_json
from torture.model_kinds import taught_quantity_list, taught_regressor
from torture.originals import make_original
from torture.survival import Stages, Verdict, judge

BLINDLY = 0.4


PRESET_WORDS = ["nan", "inf", "-1", "0", "1e400", "''", "[]", "{}", "true", "1979-05-27", '"no"']
PRESET_WORDS += ["{ value = 1, why = 2 }", "{ value = {}, why = '' }", "9" * 400, "[" * 500]
COLUMNS = ["specs.digest", "specs.spec", "cells.preset", "cells.variant", "cells.digest"]
COLUMNS += ["runs.digest", "runs.seed", "runs.summary", "runs.traceback", "runs.seconds"]
COLUMNS += ["runs.finished_at", "meta.format"]
TABLE_WORDS = ["", "nan", "inf", "1e308", "-1e308", "1e400", "9" * 30, "\x1b[2J", "a\xa0b", "=1"]
TABLE_WORDS += ['"', '"x,y"', "\u202e", "0x10", "1,5", "<b>", "\0", "1_0", "\u0661", " "]
FIT = ["--target", "y", "--set", "n_steps=60", "--set", "population_size=24"]


class Kind:
    """One kind of file: `make` it healthy, `attack` a damaged copy."""

    name = ""

    def make(self, folder: Path) -> None:
        raise NotImplementedError

    def attack(self, random: Random, folder: Path, place: Path) -> Verdict:
        raise NotImplementedError

    def told(self, verdict: Verdict, what: str) -> Verdict:
        return verdict[0], f"{verdict[1]}\n{self.name}: {what}"


class RuleLists(Kind):
    """Lists of rules as JSON: a vote, linear votes, an ordered list, both about a quantity."""

    name = "rule-list"

    def make(self, folder: Path) -> None:
        scalar, linear = make_original("uniform"), make_original("linear-sequences")
        for name, rules in {
            "vote": RuleSet.of(scalar),
            "linear": RuleSet.of(linear),
            "list": compact(scalar, "evaluate").ruleset,
            "quantity": taught_regressor().ruleset_,
            "quantity-list": taught_quantity_list().ruleset_,
        }.items():
            (folder / f"{name}.json").write_text(rules.to_json())

    def attack(self, random: Random, folder: Path, place: Path) -> Verdict:
        names = ["vote", "linear", "list", "quantity", "quantity-list"]
        name, path = random.choice(names), place / "rules.json"
        content = (folder / f"{name}.json").read_text()
        if random.random() < BLINDLY:
            damaged, what = damage_blindly(content.encode(), random)
            path.write_bytes(damaged)
        else:
            text, what = damage_json(content, random)
            path.write_bytes(text.encode("utf-8", "surrogatepass"))
        return self.told(judge(lambda: RuleSet.from_json(path), _rule_stages), f"{name} {what}")


def _rule_stages(rules: RuleSet) -> Stages:
    rows = rules.low + (rules.high - rules.low) * np.linspace(0, 1, 5)[:, None]

    def again() -> None:
        text = rules.to_json()
        assert RuleSet.from_json(text).to_json() == text, "what was read is not what was written"

    return [
        ("actions", lambda: rules.actions(rows)),
        ("text", lambda: rules.text() + rules.to_csv()),
        ("table", rules.table),
        ("explain", lambda: str(explain(rules, rows[0]))),
        ("estimates", lambda: rules.estimates(rows) if rules.regresses else None),
        ("python", lambda: _written(lambda: compile(rules.to_python(), "rules", "exec"))),
        ("c", lambda: _written(rules.to_c)),
        ("javascript", lambda: _written(rules.to_javascript)),
        ("page", lambda: render_explorer(rules, name="rules")),
        ("sql", lambda: _written(rules.to_sql)),
        ("pmml", lambda: _written(rules.to_pmml)),
        ("importance", rules.importance),
        ("notebook", rules._repr_html_),
        ("json", again),
        ("strongest", lambda: rules.strongest(2).text()),
    ]


def _written(write: Callable[[], Any]) -> None:
    """Write rules in a form that may refuse them in a sentence."""
    with suppress(ConfigError):
        write()


class Presets(Kind):
    """Presets of a user's own."""

    name = "preset"

    def make(self, folder: Path) -> None:
        bundled = Path(ruleplay.presets.__file__).parent
        for name in ("stein2020/rmp6", "stein2020/_common", "ruleplay/cartpole"):
            text = (bundled / f"{name}.toml").read_text()
            (folder / f"{name.replace('/', '-')}.toml").write_text(text)

    def attack(self, random: Random, folder: Path, place: Path) -> Verdict:
        content = random.choice(sorted(folder.glob("*.toml"))).read_text()
        path = place / "own.toml"
        if random.random() < BLINDLY:
            damaged, what = damage_blindly(content.encode(), random)
        else:
            lines = content.splitlines()
            number = random.choice([k for k, line in enumerate(lines) if "=" in line])
            key = lines[number].partition("=")[0]
            value = random.choice(
                [*PRESET_WORDS, f'"{path}"', f'["{path}", 3]', "'stein2020/rmp6'"]
            )
            key = random.choice([key, key, "extends", "steps", f'"{key.strip()}.x"'])
            lines[number] = f"{key} = {value}"
            damaged, what = "\n".join(lines).encode(), lines[number][:60]
        path.write_bytes(damaged)
        agent = random.choice(["xcs", "xcs-er"])
        load: Callable[[], Any] = lambda: specify_run(str(path), agent)  # noqa: E731
        return self.told(judge(load, lambda spec: [("digest", spec.digest)]), what)


class Stores(Kind):
    """Folders of results: the index, curves, the plan."""

    name = "store"

    def make(self, folder: Path) -> None:
        specs = tiny_spec(), tiny_spec("xcs")
        with Store.open(folder / "store", create=True) as store:
            store.register([(spec, "") for spec in specs])
            for spec in specs:
                for seed in range(2):
                    store.publish(made_up_trial(spec, seed))
            digest = specs[0].digest()
            store.record_failure(
                Failure(digest=digest, seed=7, error="broken", traceback="trace", seconds=1.0)
            )
        plan = {"format": 1, "workers": 2, "seeds": {spec.digest(): [0, 1, 2] for spec in specs}}
        (folder / "store" / "plan.json").write_text(json.dumps(plan))

    def attack(self, random: Random, folder: Path, place: Path) -> Verdict:
        copied = place / "store"
        shutil.copytree(folder / "store", copied)
        path = random.choice(sorted(p for p in copied.rglob("*") if p.is_file()))
        if path.name == "index.sqlite" and random.random() > BLINDLY:
            what = self._set_cell(path, random)
        elif path.name == "plan.json" and random.random() > BLINDLY:
            text, what = damage_json(path.read_text(), random)
            path.write_bytes(text.encode("utf-8", "surrogatepass"))
        else:
            content = path.read_bytes() or b"\0"
            damaged, what = damage_blindly(content, random)
            path.write_bytes(damaged)
        return self.told(self._use(copied), f"{path.name} {what}")

    def _set_cell(self, path: Path, random: Random) -> str:
        table, column = random.choice(COLUMNS).split(".")
        odd = [None, "", "x", b"\xff\xfe", "{}", "[]", "null", "../../x", "NaN", '{"reward": "x"}']
        value = random.choice([*INTEGERS, *FLOATS, *odd])
        where = random.choice(["", " WHERE rowid = 1"])
        connection = sqlite3.connect(path)
        try:
            with connection:
                connection.execute(f"UPDATE {table} SET {column} = ?{where}", (value,))
        except (sqlite3.Error, OverflowError):
            return f"{table}.{column} stays"
        finally:
            connection.close()
        return f"{table}.{column} = {value!r}{where}"

    def _use(self, copied: Path) -> Verdict:
        """Read everything there is; refusals may come with any reading."""

        def follow() -> None:
            json.dumps(finite(StudyFollower(copied).state()), allow_nan=False)

        def read() -> None:
            with Store.open(copied) as store:
                store.failures(), store.log(), store.summaries(), store.canonical_digest()
                for cell in store.cells():
                    store.spec(cell.digest), store.band(cell.digest)

        def write() -> None:
            with Store.open(copied, write=True) as store:
                store.register([(tiny_spec(), "")])
                store.publish(made_up_trial(tiny_spec(), 9))
            with Store.open(copied) as store:
                assert (tiny_spec().digest(), 9) in store.completed([tiny_spec().digest()])

        verdicts = [judge(use, lambda _: []) for use in (follow, read, write)]
        names = ("follow", "read", "write")
        for name, (outcome, detail) in zip(names, verdicts, strict=True):
            if outcome not in ("sound", "refused"):
                return outcome, f"{name}: {detail}"
        return "refused" if any(v[0] == "refused" for v in verdicts) else "sound", ""


class RunLogs(Kind):
    """Files of `ruleplay run --progress-file`, which `ruleplay watch` shows."""

    name = "run-log"

    def make(self, folder: Path) -> None:
        about = {"preset": "stein2020/rmp6", "agent": "xcs", "seed": 0, "steps": 400}
        log = RunLog(folder / "run.jsonl", about)
        for done in (100, 200, 300, 400):
            log.progress(done, done // 10, {"measure": "reward", "mean": [1.0, done / 400]})
        log.end({"reward": 1.0, "system_error": None}, {"measure": "reward", "mean": [1.0]})

    def attack(self, random: Random, folder: Path, place: Path) -> Verdict:
        path, content = place / "run.jsonl", (folder / "run.jsonl").read_text()
        if random.random() < BLINDLY:
            damaged, what = damage_blindly(content.encode(), random)
        else:
            lines = content.splitlines(keepends=True)
            number = random.randrange(len(lines))
            changed, what = change_json(json.loads(lines[number]), random)
            lines[number] = json.dumps(changed) + "\n"
            damaged = "".join(lines).encode()
        path.write_bytes(damaged)

        def show() -> None:
            json.dumps(finite(RunFollower(path).state()), allow_nan=False)

        return self.told(judge(show, lambda _: []), what)


class Tables(Kind):
    """CSV files for `ruleplay fit`, given to the command itself."""

    name = "table"

    def make(self, folder: Path) -> None:
        random = np.random.default_rng(0)
        rows = ["a,b,y"]
        for a, b in random.random((24, 2)).round(3):
            rows.append(f"{a},{b},{'yes' if a > b else 'no'}")
        (folder / "data.csv").write_text("\n".join(rows) + "\n")

    def attack(self, random: Random, folder: Path, place: Path) -> Verdict:
        path, content = place / "data.csv", (folder / "data.csv").read_text()
        if random.random() < BLINDLY:
            damaged, what = damage_blindly(content.encode(), random)
        else:
            rows = [line.split(",") for line in content.splitlines()]
            word, column = random.choice(TABLE_WORDS), random.randrange(3)
            first = random.randrange(len(rows))
            for row in rows[first : first + random.choice([1, 8, 30])]:
                row[column] = word
            damaged, what = "\n".join(map(",".join, rows)).encode(), f"column {column} = {word!r}"
        path.write_bytes(damaged)
        return self.told(self._fit(path), what)

    def _fit(self, path: Path) -> Verdict:
        found = CliRunner().invoke(app, ["fit", str(path), *FIT])
        error = found.exception
        if error is not None and not isinstance(error, SystemExit):
            return "other-error", f"fit: {type(error).__name__}: {error}"
        control = re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", found.output)
        if control:
            return "wrong", "fit: control characters reach the terminal"
        if found.exit_code == 0:
            wrong = re.search(r"accuracy 0\.9.*\(0 of", found.output, re.DOTALL)
            return ("wrong", "fit: counts contradict the accuracy") if wrong else ("sound", "")
        return ("refused", "") if found.exit_code in (1, 2) else ("wrong", "fit: odd exit code")


OTHERS: list[Kind] = [RuleLists(), Presets(), Stores(), RunLogs(), Tables()]
