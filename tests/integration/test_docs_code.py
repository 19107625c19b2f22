"""Every block of code in the documentation does what the page says (see `page_code`)."""

import ast
import re
from pathlib import Path

import pytest

from page_code import check_command, commands_of, read_blocks, run_page

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
RUNNING = {"python", "console"}
WITH_CODE = [page for page in PAGES if RUNNING & {block.kind for block in read_blocks(page)}]
LANGUAGES = {"bash", "console", "python", "text", "toml"}
MOST_NOT_RUN = 7


def name_of(page):
    return page.relative_to(ROOT).as_posix()


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Return a function that runs a page once, whoever asks."""
    done = {}

    def run_once(page):
        if page not in done:
            done[page] = run_page(page, tmp_path_factory.mktemp("page"))
        return done[page]

    return run_once


@pytest.mark.parametrize("page", WITH_CODE, ids=name_of)
def test_the_code_of_a_page_runs_and_prints_what_is_shown(page, run):
    run(page)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_documented_commands_exist_with_their_options(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for block in read_blocks(page):
        if block.kind in ("bash", "console"):
            for words in commands_of(block):
                check_command(words)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_no_block_escapes(page):
    """Each block says what it is, so that none that could be run is taken for text."""
    blocks = read_blocks(page)
    assert page.read_text(encoding="utf-8").count("\n```") == 2 * len(blocks)
    for block in blocks:
        assert block.kind in LANGUAGES, block.place
        if block.kind not in ("bash", "console"):
            assert not re.search(r"^(\$ )?ruleplay ", block.text, re.MULTILINE), block.place
        if block.kind == "python":
            ast.parse(block.text)


def test_few_blocks_are_not_run_and_each_says_why():
    left_out = [block for page in PAGES for block in read_blocks(page) if not block.is_run]
    assert len(left_out) <= MOST_NOT_RUN
    assert all(block.title.startswith("Not run by the tests: ") for block in left_out)


def test_the_classifier_page_promises_what_it_prints(run):
    page = DOCS / "classifier.md"
    promised = re.findall(r"^(?:# )?(IF .*?) \(value", page.read_text(), re.MULTILINE)
    assert len(promised) == 3
    assert all(sentence in run(page)["printed"] for sentence in promised)


@pytest.fixture(scope="module")
def agents(run):
    return run(DOCS / "agents.md")


def test_the_agent_page_prints_what_it_shows(agents):
    """The last digits may depend on the machine, so that numbers are compared roughly."""
    text = (DOCS / "agents.md").read_text(encoding="utf-8")
    shown = re.search(r"\n```text\n(IF .*?)```", text, re.DOTALL).group(1)
    summary = "rules? and a default action instead of"
    for sentence in ("THEN", "position -0.50, velocity 0.010: push right", summary, "ELSE push"):
        assert re.search(sentence, shown), sentence
        assert re.search(sentence, agents["printed"]), sentence
    assert "IF row = 0 AND column = 0 THEN left" in agents["printed"]
    assert agents["agent"].evaluate(100).mean == pytest.approx(-120, abs=25)


def test_the_list_shown_does_better_than_all_rules(agents):
    made = agents["made"]
    assert made.after <= 4
    assert made.score_before == pytest.approx(-118, abs=25)
    assert made.score_after > made.score_before + 10
    decide = {}
    exec(made.ruleset.to_python(), decide)
    assert decide["decide"]([-0.9, 0.02]) == 2  # rolling back to the right: push right


def test_a_loaded_agent_acts_as_the_saved_one(agents):
    assert agents["driver"].predict([-0.5, 0.01]) == agents["agent"].predict([-0.5, 0.01])


def test_the_callback_ended_learning_at_a_good_agent_or_not_at_all(agents):
    poles = agents["poles"]
    good = sum(poles.episode_returns[-20:]) >= 1000
    assert good or poles.num_timesteps >= 4000
