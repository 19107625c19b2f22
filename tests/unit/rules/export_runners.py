"""Run rules that were written in other languages, by whatever runs these."""

import json
import math
import shutil
import sqlite3
import subprocess
from xml.etree import ElementTree

import pytest

COMPILER = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
WARNINGS = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O2")

C_MAIN = r"""
#include <stdio.h>
#include <stdlib.h>
int decide(const double *observation);
int main(void)
{
    static double row[SIZE];
    char word[64];
    int k = 0;
    while (scanf("%63s", word) == 1) {
        row[k++] = strtod(word, NULL);
        if (k == SIZE) {
            printf("%d\n", decide(row));
            k = 0;
        }
    }
    return 0;
}
"""


# A program that answers about lines of fields with tabs between them.
C_TEXTS_MAIN = r"""
#include <stdio.h>
#include <string.h>
const char *decide_texts(const char *const *texts);
int main(void)
{
    static char line[4096], *texts[SIZE];
    while (fgets(line, sizeof line, stdin)) {
        char *rest = line;
        int k;
        line[strcspn(line, "\n")] = 0;
        for (k = 0; k < SIZE; k++) {
            texts[k] = rest;
            rest += strcspn(rest, "\t");
            *rest++ = 0;
        }
        puts(decide_texts((const char *const *)texts));
    }
    return 0;
}
"""


def run_python(rules, rows):
    """Ask the function about rows."""
    space = {}
    exec(compile(rules.to_python(), "rules.py", "exec"), space)
    return [space["decide"](row) for row in rows]


def run_c(rules, rows, folder, flags=WARNINGS):
    """Compile the function and ask it about rows; return the numbers that it answers."""
    numbers = rules.encode(rows).tolist()
    words = "\n".join(" ".join(map(repr, row)) for row in numbers)
    return list(map(int, run_program(compile_c(rules, folder, flags), words).split()))


def compile_c(rules, folder, flags=WARNINGS, main=C_MAIN):
    """Compile the function with a program that asks it; return where that is."""
    if COMPILER is None:
        pytest.skip("there is no compiler of C")
    (folder / "rules.c").write_text(rules.to_c(), encoding="utf-8")
    (folder / "main.c").write_text(main.replace("SIZE", str(len(rules.features))), encoding="utf-8")
    files = [str(folder / name) for name in ("rules.c", "main.c")]
    subprocess.run([COMPILER, *flags, *files, "-o", str(folder / "decide")], check=True)
    return folder / "decide"


def run_program(path, text):
    """Return what a program answers to a text."""
    done = subprocess.run(
        [str(path)], input=text, capture_output=True, encoding="utf-8", check=True
    )
    return done.stdout


def run_javascript(rules, rows, folder):
    """Let Node ask the module about rows."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no Node")
    (folder / "rules.mjs").write_text(rules.to_javascript(), encoding="utf-8")
    (folder / "rows.json").write_text(json.dumps(rows), encoding="utf-8")
    (folder / "main.mjs").write_text(
        'import { readFileSync } from "node:fs";\n'
        'import { decide } from "./rules.mjs";\n'
        'const rows = JSON.parse(readFileSync("rows.json", "utf-8"));\n'
        "console.log(JSON.stringify(rows.map(decide)));\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        [node, "main.mjs"], cwd=folder, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def run_sql(rules, rows, table="observations"):
    """Ask SQLite about rows of a table."""
    database = sqlite3.connect(":memory:")
    columns = ", ".join(
        f"{quoted(f.name)} {'' if f.categories else 'DOUBLE PRECISION'}" for f in rules.features
    )
    database.execute(f"CREATE TABLE {quoted(table)} (id INTEGER, {columns})")
    places = ", ".join("?" * (len(rules.features) + 1))
    numbered = [[i, *row] for i, row in enumerate(rows)]
    database.executemany(f"INSERT INTO {quoted(table)} VALUES ({places})", numbered)
    answers = database.execute(rules.to_sql(table)).fetchall()
    return [answer[-1] for answer in sorted(answers, key=lambda answer: answer[0])]


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


class PMML:
    """Evaluate the elements of a RuleSetModel as PMML 4.4 says, in three-valued logic."""

    def __init__(self, text):
        root = ElementTree.fromstring(text)
        self.space = {"p": root.tag[1:].partition("}")[0]}
        fields = root.findall("p:DataDictionary/p:DataField", self.space)
        self.fields = {field.get("name"): field for field in fields}
        self.mining = root.findall("p:RuleSetModel/p:MiningSchema/p:MiningField", self.space)
        self.rules = root.find("p:RuleSetModel/p:RuleSet", self.space)
        method = self.rules.find("p:RuleSelectionMethod", self.space)
        assert method.get("criterion") == "firstHit"

    def decide(self, values):
        """Return the score for values by name; None where the answer is invalid."""
        row = {}
        for field in self.mining:
            name = field.get("name")
            if field.get("usageType") == "target":
                continue
            value = values[name]
            value = None if isinstance(value, float) and math.isnan(value) else value
            known = [v.get("value") for v in self.fields[name].findall("p:Value", self.space)]
            if value is not None and known and lexical(value) not in known:
                if field.get("invalidValueTreatment") == "returnInvalid":
                    return None
                value = None
            if value is None and field.get("missingValueTreatment") == "returnInvalid":
                return None
            row[name] = field.get("missingValueReplacement") if value is None else value
        for rule in self.rules.findall("p:SimpleRule", self.space):
            if self.holds(rule[0], row) is True:
                return rule.get("score")
        return self.rules.get("defaultScore")

    def holds(self, predicate, row):
        kind = predicate.tag.rpartition("}")[2]
        if kind in ("True", "False"):
            return kind == "True"
        if kind == "CompoundPredicate":
            parts = [self.holds(part, row) for part in predicate]
            decisive = predicate.get("booleanOperator") == "or"
            return decisive if decisive in parts else None if None in parts else not decisive
        value, limit = row[predicate.get("field")], predicate.get("value")
        if predicate.get("operator") == "isMissing":
            return value is None
        if value is None:
            return None
        if predicate.get("operator") == "equal":
            return lexical(value) == limit
        at_least = predicate.get("operator") == "greaterOrEqual"
        return value >= float(limit) if at_least else value <= float(limit)


def lexical(value):
    return str(value).lower() if isinstance(value, bool) else str(value)


def run_pmml(rules, rows):
    """Evaluate the document that is written for a list."""
    model = PMML(rules.to_pmml())
    return [model.decide(dict(zip(rules.feature_names, row, strict=True))) for row in rows]
