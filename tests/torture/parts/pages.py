"""Hostile names in every page that ruleplay writes, opened in a real browser.

No dialog, no script, no element from a name, no complaint on the console, nothing fetched; and
names are there to be read. "refused": the command did not take the names, in one line;
"not-possible": there is no Chromium or no Playwright.
"""

import csv
import importlib.util
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from torture.killing import FaultError
from torture.part import Result, randomness, scratch

CASES = {"quick": 12, "full": 120}
LIMIT = 180.0
FINE = {"sound", "refused", "not-possible"}
PARALLEL = True
BATCH = 60
MEMORY = None  # browsers map more than they use

EVIL = "window.evil=1"
NAMES = (
    f"<script data-evil>{EVIL}</script>",
    f"</script><script data-evil>{EVIL}</script>",
    f'"><img data-evil src=x onerror={EVIL}>',
    f"'><svg data-evil onload={EVIL}>",
    f"--><script data-evil>{EVIL}</script><!--",
    f"]]><script data-evil>{EVIL}</script>",
    f"<a data-evil href=javascript:{EVIL}>x</a>",
    f"javascript:{EVIL}",
    f"x onmouseover={EVIL} data-evil",
    f"</title><b data-evil onclick={EVIL}>",
    "</style><style data-evil>*{display:none}</style>",
    "</textarea><iframe data-evil srcdoc='<b>'>",
    "{{ 7 * 7 }}{% raw %}",
    "${7*7}#{7*7}",
    "%(evil)s %s {0} {evil}",
    "$\\frac{$ unclosed _{^",
    "\\3c script\\3e",
    "&lt;b data-evil&gt; &amp;#60;",
    "__proto__",
    "constructor",
    "toString",
    "=1+1",
    "+cmd|' /C calc'!A0",
    "@SUM(1)",
    "\u202eesrever\u202c",
    "\u2066isolated\u2069",
    "zero\u200bwidth",
    "no\u00a0break",
    "line\nbreak",
    "tab\tstop",
    "null\x00byte",
    "bell\x07escape\x1b[2J",
    "line\u2028separator",
    "\ufffe not a sign",
    "\U0001f9ea\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "e\u0301" * 40,
    "\u0634\u062c\u0631\u0629",
    "long " * 2000,
    "W" * 10_000,
    " ",
    "../../etc/passwd",
    "a,b;c|d",
    "\"quoted\" 'twice' `thrice`",
)
INTRUDERS = (
    "[data-evil], [onerror], [onload], [onclick], [onmouseover], iframe, object, embed,"
    " a[href^='javascript'], base, parsererror"
)
SHOWN = """() => {
  const copy = document.documentElement.cloneNode(true);
  copy.querySelectorAll("script, style").forEach((element) => element.remove());
  const values = [...copy.querySelectorAll("option, input, [title], [aria-label]")].flatMap(
    (element) => [element.value, element.title, element.getAttribute("aria-label")]);
  return [copy.textContent, ...values].join("\\n");
}"""


class Written(NamedTuple):
    """A page, the names that it must show, and how to see that it is ready."""

    address: str
    names: list[str]
    ready: str | None = None


Maker = Callable[[Path, Random], Iterator[Written]]


def run(cases: range, folder: Path) -> Iterator[Result]:
    """Write and open one page for each case."""
    missing = not importlib.util.find_spec("playwright") or not _find_chromium()
    for case in cases:
        make, chance = MAKERS[case % len(MAKERS)], randomness("pages", case)
        outcome, detail = "not-possible", "no browser"
        if not missing:
            with scratch(folder) as place:
                outcome, detail = _try_page(make, place, chance)
        yield Result(case, outcome, f"{make.__name__}: {detail}")


def _try_page(make: "Maker", place: Path, chance: Random) -> tuple[str, str]:
    try:
        with contextmanager(make)(place, chance) as written, _browser() as browser:
            check_page(browser, written)
    except FaultError as fault:
        return fault.outcome, str(fault).replace(str(place), "")
    return "sound", f"{len(written.names)} names"


def _find_chromium() -> str | None:
    from browser.conftest import NAMES as PROGRAMS

    return next(filter(None, map(shutil.which, PROGRAMS)), None)


@contextmanager
def _browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    from browser.conftest import FLAGS

    with sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=_find_chromium(), args=list(FLAGS))
        yield running
        running.close()


def check_page(browser: Any, written: Written) -> None:
    """Open a page and see whether a name has become more than a name."""
    from playwright.sync_api import TimeoutError

    context = browser.new_context(viewport={"width": 1280, "height": 900})
    complaints: list[str] = []
    requests: list[str] = []
    page = context.new_page()
    page.on("dialog", lambda dialog: (complaints.append("a dialog"), dialog.dismiss()))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "console",
        lambda message: message.type in ("error", "warning") and complaints.append(message.text),
    )
    context.on("request", lambda request: requests.append(request.url))
    page.set_default_timeout(60_000)
    try:
        page.goto(written.address)
        if written.ready:
            # Long names push parts off the window, and what is not seen is not drawn.
            page.evaluate("document.querySelector('.explorer')?.scrollIntoView()")
            page.wait_for_selector(written.ready, state="attached")
        page.wait_for_timeout(200)
        _judge(page, written, complaints, requests)
    except TimeoutError as error:
        raise FaultError("not-ready", f"{complaints[:1]} {error}") from None
    finally:
        context.close()


def _judge(page: Any, written: Written, complaints: list[str], requests: list[str]) -> None:
    if page.evaluate("'evil' in window"):
        raise FaultError("executed", "a script from a name was run")
    found = page.evaluate(f"document.querySelectorAll({INTRUDERS!r}).length")
    if found:
        raise FaultError("injected", f"{found} elements")
    if complaints:
        raise FaultError("complaint", complaints[0][:500])
    origin = written.address.split("/", 3)[:3]
    foreign = [url for url in requests if not url.startswith(("data:", "blob:"))]
    if any(url.split("/", 3)[:3] != origin for url in foreign):
        raise FaultError("fetched", str(foreign))
    shown = _plain(page.evaluate(SHOWN))
    hidden = [name for name in written.names if _plain(name)[:200] not in shown]
    if hidden:
        raise FaultError("not-shown", repr(hidden[0])[:200])


def _plain(text: str) -> str:
    """Return text without white space, as browsers change it."""
    return "".join(text.split())


def is_printable(name: str) -> bool:
    """Tell whether a name can be shown as it is."""
    return name.isprintable() and bool(name.strip())


def pick(chance: Random, count: int) -> list[str]:
    """Choose different names."""
    return chance.sample(NAMES, count)


def printable(names: list[str]) -> list[str]:
    """Return the names that a page must show as they are."""
    return [name for name in names if is_printable(name)]


def command(*words: Any) -> str:
    """Run a command in this process; one that is refused in one line ends the case."""
    from typer.testing import CliRunner

    from ruleplay.cli import app

    result = CliRunner().invoke(app, list(map(str, words)))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise FaultError("spilled", f"{type(result.exception).__name__}: {result.exception}"[:500])
    if result.exit_code != 0:
        *_, last = result.stderr.removesuffix("\n").split("\n")
        if not last.startswith("error: "):
            raise FaultError("message", result.stderr[-500:])
        raise FaultError("refused", last[:200])
    return result.stdout


def _file_name(chance: Random, suffix: str) -> str:
    """Return a hostile name that a file can have."""
    usable = [name for name in NAMES if not set(name) & set("/\0") and len(name) < 100]
    return chance.choice(usable) + suffix


def fit_page(place: Path, chance: Random) -> Iterator[Written]:
    """Write the page of `ruleplay fit` about a table of hostile words."""
    names = pick(chance, 7)
    columns, classes, categories = names[:3], names[3:5], names[5:]
    data, page = place / _file_name(chance, ".csv"), place / "page.html"
    with data.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        for k in range(40):
            writer.writerow([k % 8, categories[k % 8 < 4], classes[k % 8 < 4]])
    command("fit", data, "--target", columns[2], "--epochs", 2, "--report", page)
    yield Written(page.as_uri(), printable(classes))


def _hostile_rules(chance: Random) -> tuple[Any, list[str]]:
    from unit.rules.rule_samples import actions, named, slow_down

    names = pick(chance, 4)
    if chance.random() < 0.8:  # one name that is refused would spare the page all others
        names = chance.sample(printable(list(NAMES)), 4)
    rules = slow_down()
    known = {"features": named(*names[:2]), "outcomes": actions(*names[2:])}
    return rules.take(range(len(rules)), **known), printable(names)


def explorer(place: Path, chance: Random) -> Iterator[Written]:
    """Write the page of `ruleplay rules` about rules with hostile names."""
    rules, names = _hostile_rules(chance)
    source, page = place / _file_name(chance, ".json"), place / "page.html"
    source.write_text(rules.to_json(), encoding="utf-8")
    command("rules", source, "--format", "html", "--out", page)
    yield Written(page.as_uri(), names, ".explorer[data-ready]")


def rule_map(place: Path, chance: Random) -> Iterator[Written]:
    """Draw rules with hostile names; letters are drawn as lines, so none is looked for."""
    rules, _ = _hostile_rules(chance)
    source, picture = place / "rules.json", place / "map.svg"
    source.write_text(rules.to_json(), encoding="utf-8")
    command("rules", source, "--map", picture)
    yield Written(picture.as_uri(), [])


def _hostile_store(folder: Path, chance: Random) -> list[str]:
    """Keep made-up runs of cells with hostile names, one of them failed."""
    from ruleplay.experiments.storage.store import Store
    from ruleplay.experiments.trial import Failure
    from tiny_study import made_up_trial, tiny_spec

    names = pick(chance, 9)
    with Store.open(folder, create=True) as store:
        for k in range(3):
            preset, agent, variant = names[3 * k : 3 * k + 3]
            spec = replace(tiny_spec(ga_threshold=10 + k), preset=preset, agent=agent)
            store.register([(spec, variant)])
            for seed in range(3):
                store.publish(made_up_trial(spec, seed))
            failed = Failure(digest=spec.digest(), seed=9, error=variant, traceback=preset)
            store.record_failure(failed)
    return names


def study_report(place: Path, chance: Random) -> Iterator[Written]:
    """Write a report on results whose cells have hostile names."""
    folder = place / _file_name(chance, "")
    names = _hostile_store(folder, chance)
    command("report", folder, "--out", place / "report")
    yield Written((place / "report" / "index.html").as_uri(), printable(names))


@contextmanager
def _served(read: Callable[[], dict[str, Any]]) -> Iterator[str]:
    from ruleplay.cli.watching.server import WatchServer

    with WatchServer(read) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server.url
        server.shutdown()
        thread.join()


def watched_study(place: Path, chance: Random) -> Iterator[Written]:
    """Watch a study whose cells have hostile names."""
    from ruleplay.cli.watch import follow

    folder = place / _file_name(chance, "")
    names = _hostile_store(folder, chance)
    with _served(follow(folder)) as address:
        yield Written(address, printable(names), "h2, h3, article, section")


def watched_run(place: Path, chance: Random) -> Iterator[Written]:
    """Watch a run whose preset and agent have hostile names."""
    from ruleplay.cli.running.log import RunLog
    from ruleplay.cli.watch import follow

    names = pick(chance, 2)
    path = place / _file_name(chance, ".jsonl")
    log = RunLog(path, {"preset": names[0], "agent": names[1], "seed": 0, "steps": 100})
    for step in (10, 20, 30):
        log.progress(step, rules=step)
    with _served(follow(path)) as address:
        yield Written(address, printable(names), "h2, h3, article, section")


MAKERS: tuple[Maker, ...] = (
    explorer,
    study_report,
    rule_map,
    watched_study,
    fit_page,
    watched_run,
)
