"""`ruleplay reproduce --study inferred`: judge the reading that explains the paper best."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ruleplay.errors import ConfigError

if TYPE_CHECKING:
    from ruleplay.experiments.executors import Executor
    from ruleplay.studies.inferred.report import Verdict

FOLDER = Path("ruleplay-inferred")


def refuse_parts(
    problem: list[str] | None, agent: list[str] | None, reps: int | None, quick: bool
) -> None:
    """Refuse options that would leave a part of the verdict out."""
    given = {"--problem": problem, "--agent": agent, "--reps": reps, "--quick": quick}
    for name, value in given.items():
        if value:
            raise ConfigError(f"the study 'inferred' takes no {name}")


def reproduce_inferred(out: Path | None, executor: "Executor", json: bool) -> None:
    """Rebuild the verdict from what was found, with the runs that are lacking, and say it."""
    from ruleplay.cli.terminal.output import print_json, print_report, say
    from ruleplay.studies.inferred.report import reach_verdict, write_verdict

    folder = FOLDER if out is None else out
    verdict = reach_verdict(folder, executor)
    page = write_verdict(verdict, folder / "report")
    if json:
        print_json({"report": str(page)} | describe(verdict))
        return
    summary = verdict.tables()["summary"]
    print_report(summary.columns, summary.rows)
    for line in verdict.differences() or ["no reading was better than that of the presets"]:
        say(line)
    say(f"report: {page}")


def describe(verdict: "Verdict") -> dict[str, Any]:
    """Return what a script may want to know."""
    return {
        "readings": verdict.readings,
        "reading": verdict.best.reading,
        "distance": {
            "presets": verdict.presets.distance,
            "inferred": verdict.best.distance,
            "noise": verdict.best.noise,
        },
        "verdicts": {
            "presets": verdict.presets.tally().counts,
            "inferred": verdict.best.tally().counts,
        },
    }
