"""Measure how XCSClassifier learns from files: rows per second, and the peak of memory.

    python benchmarks/large_data.py [--out docs/results/large_data.csv]
    python benchmarks/large_data.py --table        # rebuild the table of docs/performance.md only

Files of 300 000 and of 10^6 rows with 20 columns are written to a temporary folder. Each is learned
from in a process of its own, in one pass after the first that looks only, and the classifier is
tested with rows that are not in the file. Time is that of the processor.
Needs the extra ruleplay[parquet].
"""

import argparse
import csv
import json
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "docs" / "results" / "large_data.csv"
PAGE = ROOT / "docs" / "performance.md"

SIZES = (300_000, 1_000_000)
SUFFIXES = (".parquet", ".csv")
CHUNK_ROWS = 100_000
FEATURES = 20
NOISE = 0.05  # share of labels that are wrong: no classifier is right more often than 0.95
TEST_ROWS = 50_000


def make_rows(count, rng):
    """Return rows of 20 numbers; three of these decide about the class, up to noise."""
    table = pd.DataFrame(rng.random((count, FEATURES)), columns=[f"x{k}" for k in range(FEATURES)])
    yes = ((table.x0 > 0.5) & (table.x1 < 0.6)) | (table.x2 > 0.8)
    return table.assign(y=np.where(yes ^ (rng.random(count) < NOISE), "yes", "no"))


def write_file(path, rows):
    """Write a file of so many rows, a part at a time."""
    rng = np.random.default_rng(0)
    parts = (make_rows(CHUNK_ROWS, rng) for _ in range(rows // CHUNK_ROWS))
    if path.suffix == ".csv":
        for number, part in enumerate(parts):
            part.to_csv(path, mode="a", header=number == 0, index=False)
        return
    import pyarrow as pa
    import pyarrow.parquet as pq

    first = pa.Table.from_pandas(next(parts))
    with pq.ParquetWriter(path, first.schema) as writer:
        writer.write_table(first)
        for part in parts:
            writer.write_table(pa.Table.from_pandas(part))


def rehearse():
    """Compile what is needed, or load it if that was done before; return rows to test with."""
    from ruleplay import XCSClassifier

    test = make_rows(TEST_ROWS, np.random.default_rng(1))
    X, y = test.drop(columns="y"), test.y.to_numpy()
    model = XCSClassifier(n_steps=2000, random_state=0)
    model.fit_chunks([(X[:5000], y[:5000])]).predict(X[:10])
    return X, y


def measure(path):
    """Learn from a file, and print what it took as JSON."""
    from ruleplay import XCSClassifier, read_chunks

    X, y = rehearse()
    before, began = peak_mib(), time.process_time()
    model = XCSClassifier(epochs=1, random_state=0)
    model.fit_chunks(read_chunks(path, "y", chunk_rows=CHUNK_ROWS))
    seconds = time.process_time() - began
    found = {
        "seconds": round(seconds, 1),
        "rows_per_second": round(model.n_steps_ / seconds),
        "mib_before": round(before),
        "peak_mib": round(peak_mib()),
        "accuracy": round(float(model.score(X, y)), 4),
        "rules": len(model.rules_),
    }
    print(json.dumps(found))


def peak_mib():
    """Return the most memory that this process has had so far, as Linux counts it."""
    return int(re.search(r"VmHWM:\s*(\d+) kB", Path("/proc/self/status").read_text())[1]) / 1024


def run(out):
    """Measure all files, one after the other."""
    lines = []
    subprocess.run([sys.executable, __file__, "--rehearse"], check=True)
    with tempfile.TemporaryDirectory() as folder:
        for suffix in SUFFIXES:
            for rows in SIZES:
                path = Path(folder) / f"rows{suffix}"
                path.unlink(missing_ok=True)
                write_file(path, rows)
                command = [sys.executable, __file__, "--measure", str(path)]
                done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
                size = {"file_mib": round(path.stat().st_size / 2**20)}
                lines.append({"format": suffix[1:], "rows": rows} | size | json.loads(done.stdout))
                print(lines[-1], flush=True)
    with out.open("w", newline="") as file:
        writer = csv.DictWriter(file, lines[0])
        writer.writeheader()
        writer.writerows(lines)


def make_table(lines):
    """Return the results as a table in Markdown."""
    head = ("file", "rows", "MiB on disk", "CPU seconds", "rows per second", "peak MiB", "accuracy")
    names = ("format", "rows", "file_mib", "seconds", "rows_per_second", "peak_mib", "accuracy")
    rows = [head, ("---", *["---:"] * (len(head) - 1))]
    rows += [tuple(line[name] for name in names) for line in lines]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def write_table(out):
    """Put the table into the page, in place of the one that is there."""
    with out.open(newline="") as file:
        table = make_table(csv.DictReader(file))
    old = re.compile(r"^\| file \| rows \|.*?\n(?!\|)", re.DOTALL | re.MULTILINE)
    PAGE.write_text(old.sub(lambda _: table, PAGE.read_text(), count=1))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--measure", type=Path, help="Learn from this file only.")
    parser.add_argument("--rehearse", action="store_true", help="Compile only.")
    given = parser.parse_args()
    if given.rehearse:
        rehearse()
        return
    if given.measure:
        measure(given.measure)
        return
    if not given.table:
        run(given.out)
    write_table(given.out)


if __name__ == "__main__":
    main()
