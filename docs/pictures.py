"""Make the pictures that the documentation shows: pages, figures of results, examples at work.

    python docs/pictures.py              # all that are not current
    python docs/pictures.py explorer.png # this one

Beside the pictures, `sources.json` says from which state of the sources each was made; a test
compares that. Needs the packages of the extra `dev` and an installed Chromium.
"""

import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"
SOURCES = IMAGES / "sources.json"
SIZE = {"width": 1280, "height": 900}

PAGE = ("src/ruleplay/report/templates/*", "src/ruleplay/report/scripts/*")
REPORT = (*PAGE, "src/ruleplay/studies/page.*", "src/ruleplay/studies/paper/page.py")
PRICE = "docs/tutorials/price.md"
RESULTS = "docs/results/stein2020/**/*"
REPORTED = "results/real-data/reported"
INFERRED = "src/ruleplay/studies/inferred"
QUANTITIES = "results/real-data-regression/reported"
CONTROL = "results/control"
LANDER = "docs/results/lunarlander-list.json"
RANKS = "src/ruleplay/benchmarks/real_data/drawing.py"


class Picture(NamedTuple):
    """How a picture is made, and the files that shape it."""

    make: Callable[[Path], None]
    sources: tuple[str, ...]

    def digest(self) -> str:
        """Return a digest of the sources, the same on every machine."""
        found = hashlib.sha256()
        files = {path for pattern in self.sources for path in ROOT.glob(pattern) if path.is_file()}
        for path in sorted(files, key=lambda path: path.relative_to(ROOT).as_posix()):
            found.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes())
        return found.hexdigest()[:16]


def write_report(folder: Path) -> Path:
    """Write the report of the committed results."""
    from ruleplay.experiments.storage.compact import open_results
    from ruleplay.studies.page import render_page
    from ruleplay.studies.paper.analysis import analyse
    from ruleplay.studies.reporting import make_tables

    analysis = analyse(open_results(ROOT / "docs" / "results" / "stein2020"))
    path = folder / "report.html"
    text = render_page(analysis, make_tables(analysis), source="stein2020")
    path.write_text(text, encoding="utf-8")
    return path


def fit_wine(folder: Path) -> Path:
    """Learn a table of wines with its page, and return that."""
    from sklearn.datasets import load_wine

    wine = load_wine(as_frame=True)
    grape = wine.target.map(dict(enumerate(("Barolo", "Grignolino", "Barbera"))))
    wine.data.assign(grape=grape).to_csv(folder / "wine.csv", index=False)
    call = [sys.executable, "-m", "ruleplay"]
    fit = ["fit", "wine.csv", "--target", "grape", "--save", "wine.ruleplay"]
    subprocess.run([*call, *fit, "--report", "wine.html"], cwd=folder, check=True)
    read = ["rules", "wine.ruleplay", "--data", "wine.csv", "--all", "--out", "rules.html"]
    subprocess.run([*call, *read], cwd=folder, check=True)
    return folder / "wine.html"


def fit_flats(folder: Path) -> Path:
    """Learn the prices of the tutorial's flats, and return the page of all rules."""
    tutorial = (ROOT / PRICE).read_text(encoding="utf-8")
    code = tutorial.split("```python\n")[1].split("```")[0]
    subprocess.run([sys.executable, "-c", code], cwd=folder, check=True)
    call = [sys.executable, "-m", "ruleplay"]
    fit = ["fit", "flats.csv", "--target", "price", "--save", "price.ruleplay"]
    subprocess.run([*call, *fit], cwd=folder, check=True)
    read = ["rules", "price.ruleplay", "--data", "flats.csv", "--all", "--out", "rules.html"]
    subprocess.run([*call, *read], cwd=folder, check=True)
    return folder / "rules.html"


def study_function(folder: Path) -> Path:
    """Run a study of one function, and return its page."""
    study = 'presets = ["functions/crossed-ridge"]\nagents = ["xcs-er"]\nseeds = 1\n'
    (folder / "ridge.toml").write_text(study, encoding="utf-8")
    call = [sys.executable, "-m", "ruleplay", "reproduce", "--study", "ridge.toml"]
    subprocess.run([*call, "--out", "results"], cwd=folder, check=True)
    return folder / "results" / "report" / "index.html"


def photograph(write: Callable[[Path], Path], look: Callable[[Any, Path], None]) -> Any:
    """Return what writes a page to a folder that is not kept, opens it and takes a picture."""

    def make(picture: Path) -> None:
        from playwright.sync_api import sync_playwright

        chromium = shutil.which("chromium") or shutil.which("google-chrome")
        with tempfile.TemporaryDirectory() as name, sync_playwright() as driver:
            path = write(Path(name))
            browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            page = browser.new_page(viewport=SIZE)
            page.goto(path.as_uri())
            look(page, picture)
            browser.close()

    return make


def look_at_top(page: Any, picture: Path) -> None:
    """Take what a visitor sees first."""
    page.wait_for_timeout(500)
    page.screenshot(path=picture)


def look_at_mario(page: Any, picture: Path) -> None:
    """Take the rules of Mario, and what they decide, at the end of learning."""
    _open_mario(page)
    page.locator("#mario .planes").screenshot(path=picture)


def look_at_rule_map(page: Any, picture: Path) -> None:
    """Take the map of Mario on the way, with its form."""
    _open_mario(page)
    page.locator("#mario .time input").fill("3")
    page.locator("#mario .rule-map").evaluate("section => section.scrollIntoView()")
    page.screenshot(path=picture)


def _open_mario(page: Any) -> None:
    page.wait_for_selector("#mario [data-charts][data-ready]")
    page.locator("#mario .rule-map").evaluate("section => section.scrollIntoView()")
    page.wait_for_selector("#mario .explorer[data-ready]")
    page.wait_for_timeout(500)


def look_at_rules(page: Any, picture: Path) -> None:
    """Take the explorer of all rules, beside the page of `fit`."""
    page.goto(page.url.replace("wine.html", "rules.html"))
    look_at_explorer(page, picture)


def look_at_explorer(page: Any, picture: Path) -> None:
    """Take the maps of an explorer, and the point with its reasons."""
    page.locator(".explorer").evaluate("place => place.scrollIntoView()")
    page.wait_for_selector(".explorer[data-ready]")
    page.wait_for_timeout(500)
    page.screenshot(path=picture)


def draw_factors(picture: Path) -> None:
    """Draw what each factor does by the committed results."""
    from ruleplay.experiments.storage.compact import open_results
    from ruleplay.report.curves import save_figure
    from ruleplay.studies.beyond.effects import draw_effects
    from ruleplay.studies.paper.analysis import analyse

    effects = draw_effects(analyse(open_results(ROOT / "docs" / "results" / "beyond")))
    assert effects is not None
    save_figure(effects, picture)


def draw_ranks_by(figure: str, folder: str, folds: int) -> Callable[[Path], None]:
    """Return what draws the mean ranks of the contenders of a comparison on its first folds."""

    def make(picture: Path) -> None:
        from ruleplay.benchmarks.cells import DPI
        from ruleplay.benchmarks.real_data.analysis import on_first_folds, rank
        from ruleplay.benchmarks.real_data.drawing import draw_ranks
        from ruleplay.benchmarks.real_data.kinds import kind_of
        from ruleplay.benchmarks.real_data.runs import read_runs
        from ruleplay.rules.drawing.pictures import save_picture

        runs = on_first_folds(read_runs(ROOT / "docs" / folder), folds)
        standing, kind = rank(runs, figure), kind_of(runs)
        save_picture(draw_ranks(standing, kind.figures[figure], kind.roster), picture, dpi=DPI)

    return make


def ranks(figure: str, folder: str = REPORTED, folds: int = 5) -> Picture:
    """Return the picture of mean ranks by a figure, with what it is made from."""
    return Picture(draw_ranks_by(figure, folder, folds), (f"docs/{folder}/runs.csv", RANKS))


def draw_control(picture: Path) -> None:
    """Draw which share of runs on control problems scores more than each level."""
    from ruleplay.benchmarks.cells import DPI
    from ruleplay.benchmarks.control.runs import read_runs
    from ruleplay.benchmarks.control.summary import drawings_of
    from ruleplay.rules.drawing.pictures import save_picture

    drawings = dict(drawings_of(read_runs(ROOT / "docs" / CONTROL)))
    save_picture(drawings["profiles-best"](), picture, dpi=DPI)


def draw_inferred(picture: Path) -> None:
    """Draw a part of the verdict on the readings of the paper; nothing is run for it."""
    from ruleplay.experiments.executors import make_executor
    from ruleplay.report.curves import save_figure
    from ruleplay.studies.inferred.report import draw_verdict, reach_verdict

    with tempfile.TemporaryDirectory() as folder:
        verdict = reach_verdict(Path(folder), make_executor("local", 1))
    save_figure(draw_verdict(verdict)[picture.stem.removeprefix("inferred-")], picture)


def run_example(picture: Path) -> None:
    """Run the example that a picture of the gallery belongs to, in a folder that is not kept."""
    program = ROOT / "examples" / f"{picture.stem}.py"
    with tempfile.TemporaryDirectory() as folder:
        call = [sys.executable, program, "--out", picture]
        subprocess.run(call, cwd=folder, check=True)


def film_car(picture: Path) -> None:
    """Film the car as the page about commands says."""
    with tempfile.TemporaryDirectory() as folder:
        call = [sys.executable, "-m", "ruleplay"]
        run = ["run", "stein2020/mountaincar", "--agent", "xcs-er", "--seed", "3"]
        subprocess.run([*call, *run, "--save", "car.ruleplay"], cwd=folder, check=True)
        play = ["play", "car.ruleplay", "--out", picture, "--force"]
        subprocess.run([*call, *play], cwd=folder, check=True)


def film_lander(picture: Path) -> None:
    """Film a landing by the list that the page about agents shows; needs Box2D and pygame."""
    call = [sys.executable, "-m", "ruleplay", "play", ROOT / LANDER]
    how = ["--env", "LunarLander-v3", "--seed", "3", "--out", picture, "--force"]
    subprocess.run([*call, *how], check=True)


def gallery() -> dict[str, Picture]:
    """Return the pictures of all examples."""
    drawing = ("src/ruleplay/rules/drawing/maps.py", "src/ruleplay/rules/drawing/planes.py")
    names = sorted(path.stem for path in (ROOT / "examples").glob("*.py"))
    return {
        f"gallery/{name}.png": Picture(run_example, (f"examples/{name}.py", *drawing))
        for name in names
    }


PICTURES = {
    "report.png": Picture(photograph(write_report, look_at_top), (*REPORT, RESULTS)),
    "rule-map.png": Picture(photograph(write_report, look_at_rule_map), (*REPORT, RESULTS)),
    "mario.png": Picture(photograph(write_report, look_at_mario), (*REPORT, RESULTS)),
    "fit-page.png": Picture(
        photograph(fit_wine, look_at_top),
        (*PAGE, "src/ruleplay/cli/fitting/page.*", "src/ruleplay/cli/fitting/*_picture.py"),
    ),
    "explorer.png": Picture(
        photograph(fit_wine, look_at_rules), (*PAGE, "src/ruleplay/report/explorer.py")
    ),
    "explorer-quantity.png": Picture(
        photograph(fit_flats, look_at_explorer), (*PAGE, "src/ruleplay/report/explorer.py", PRICE)
    ),
    "function.png": Picture(
        photograph(study_function, look_at_explorer),
        (*PAGE, "src/ruleplay/studies/own/page.*", "src/ruleplay/presets/functions/*"),
    ),
    "factors.svg": Picture(
        draw_factors, ("src/ruleplay/studies/beyond/effects.py", "docs/results/beyond/**/*")
    ),
    "ranks-accuracy.svg": ranks("accuracy"),
    "ranks-log-loss.svg": ranks("log_loss"),
    "ranks-rmse.svg": ranks("rmse", QUANTITIES, folds=10),
    "ranks-mae.svg": ranks("mae", QUANTITIES, folds=10),
    "control-profiles.svg": Picture(
        draw_control, (f"docs/{CONTROL}/runs.csv", "src/ruleplay/benchmarks/control/drawing.py")
    ),
    **{
        f"inferred-{name}.svg": Picture(
            draw_inferred,
            (f"{INFERRED}/drawings.py", f"{INFERRED}/importance.py", f"{INFERRED}/found/*"),
        )
        for name in ("cells", "failures", "importance")
    },
    "play-mountaincar.gif": Picture(film_car, ("src/ruleplay/cli/playing/*.py",)),
    "play-lunarlander.gif": Picture(film_lander, ("src/ruleplay/cli/playing/*.py", LANDER)),
    **gallery(),
}


def made_from() -> dict[str, str]:
    """Return the digests of the sources that the pictures were made from."""
    known: dict[str, str] = json.loads(SOURCES.read_text()) if SOURCES.exists() else {}
    return known


def outdated() -> list[str]:
    """Return the pictures whose sources have changed since they were made."""
    known = made_from()
    return [name for name, picture in PICTURES.items() if known.get(name) != picture.digest()]


def main(names: list[str]) -> None:
    """Make some pictures, or all that are not current, and note what they were made from."""
    for name in names or outdated():
        print(name, flush=True)
        PICTURES[name].make(IMAGES / name)
        known = made_from() | {name: PICTURES[name].digest()}
        SOURCES.write_text(json.dumps(known, indent=2, sort_keys=True) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
