"""The command line of the torture chamber."""

import argparse
import sys
import time
from pathlib import Path

from conftest import cache_folder
from torture.driver import PreparationError, run_part
from torture.part import Part, find_part, part_modules
from torture.record import read_rows
from torture.table import SHOWN, Section, all_fine, make_table


def main(arguments: list[str] | None = None) -> int:
    """Run what the command line asks for; return 1 if anything bad happened."""
    asked = _parser().parse_args(arguments)
    asked.out = asked.out.resolve()  # children go elsewhere
    modules = part_modules()
    asked.out.mkdir(parents=True, exist_ok=True)
    sections = []
    for name in asked.part or list(modules):
        sections.append(_run(find_part(modules[name]), asked))
    sources = cache_folder().name
    (asked.out / "table.md").write_text(make_table(sections, sources))
    print(make_table(sections, sources, SHOWN))
    return 0 if all_fine(sections) else 1


def _run(part: Part, asked: argparse.Namespace) -> Section:
    """Run the cases of a part that are wanted and not there yet."""
    path = asked.out / f"{part.name}.jsonl"
    every = range(part.cases[asked.size])
    wanted = every
    if asked.first is not None:
        wanted = range(asked.first, asked.first + asked.count)
    rows = read_rows(path)
    missing = [case for case in wanted if case not in rows]
    if asked.first is not None:
        missing = list(wanted)
    elif asked.again:
        missing += [row["case"] for row in Section(part, 0, rows).bad() if row["case"] in every]
    print(
        f"{part.name}: {len(missing)} of the cases {wanted.start} to {wanted.stop - 1}; "
        f"the seed of case k is '{part.name} k'",
        flush=True,
    )
    begun, trouble = time.monotonic(), ""
    try:
        run_part(part, missing, asked.out, asked.jobs)
    except PreparationError as error:
        trouble = str(error)
    print(f"{part.name}: {time.monotonic() - begun:.1f} s", flush=True)
    found = {case: row for case, row in read_rows(path).items() if case in wanted}
    return Section(part, len(wanted), found, trouble)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="torture", description="Try to break ruleplay.")
    parser.add_argument("size", choices=["quick", "full"])
    parser.add_argument("--part", action="append", choices=list(part_modules()), metavar="NAME")
    parser.add_argument("--first", type=int, help="repeat cases from this number on")
    parser.add_argument("--count", type=int, default=1, help="how many, with --first")
    parser.add_argument("--again", action="store_true", help="repeat the cases that were bad, too")
    parser.add_argument("--jobs", type=int, default=2, help="processes at once, where allowed")
    parser.add_argument("--out", type=Path, default=Path("out/torture"))
    return parser


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        print("\nstopped; the same command goes on from here")
        sys.exit(130)
