import base64
import gzip
import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from fake_results import FakeResults, save_fake_portrait
from ruleplay.errors import ConfigError, StoreError
from ruleplay.experiments.portraits import read_portrait
from ruleplay.experiments.spec import specify_run
from ruleplay.report import figures
from ruleplay.studies.page import render_page
from ruleplay.studies.paper.analysis import CellReport, analyse
from ruleplay.studies.paper.page import distance_remark, problem_section, warnings_of
from ruleplay.studies.paper.printed import load_paper
from ruleplay.studies.paper.verdicts import Ours, judge
from ruleplay.studies.reporting import make_tables, write_report, write_report_of

SMALL = ("stein2020/rmp6", "stein2020/chain16")


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report") / "report"
    write_report_of(FakeResults(SMALL), folder, figures=("svg", "pdf", "png"))
    return folder


def page_of(results):
    analysis = analyse(results)
    return render_page(analysis, make_tables(analysis), source="study")


class Checker(HTMLParser):
    """Collect tags that are left open, addresses that lead outside, and names used twice."""

    VOID = ("meta", "link", "br", "input", "img")

    def __init__(self):
        super().__init__()
        self.open, self.addresses, self.names = [], [], []

    def handle_starttag(self, tag, attrs):
        if tag not in self.VOID:
            self.open.append(tag)
        for name, value in attrs:
            if name in ("src", "href", "xlink:href"):
                self.addresses.append(value)
            if name == "id":
                self.names.append(value)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if tag not in self.VOID:
            assert self.open.pop() == tag


def test_the_page_is_whole_and_needs_no_network(report):
    page = (report / "index.html").read_text(encoding="utf-8")
    checker = Checker()
    checker.feed(page)
    assert checker.open == []
    assert all(address.startswith(("#", "data:,")) for address in checker.addresses)
    inside = {address[1:] for address in checker.addresses if address.startswith("#")}
    assert inside <= set(checker.names)
    assert len(set(checker.names)) == len(checker.names)
    assert "@import" not in page
    assert "url(" not in page
    assert "default-src &#39;none&#39;" in page


def test_a_sentence_sums_up_and_names_are_those_of_the_paper():
    results = FakeResults(("stein2020/mario",))
    analysis = analyse(results)
    page = render_page(analysis, make_tables(analysis), source="study")
    tally = analysis.tally()
    assert f"Of {tally.cells} numbers of the paper, {tally.counts['match']} match" in page
    assert "Table of the single-step problems, block Mario" in page
    assert "tab:" not in page
    section = problem_section(analysis.problems[0], make_tables(analysis))
    rows = {row["label"] for row in section["rows"]}
    assert {agent["name"] for agent in section["charts"]["agents"]} <= rows


def test_a_match_that_looks_far_away_says_why():
    problem = load_paper().problems[0]
    paper = problem.row("xcs").cells["generality"]
    far = paper.mean.value + 2 * paper.spread + 0.9 * paper.mean.half_unit
    cell = CellReport(
        problem=problem,
        row=problem.row("xcs"),
        metric="generality",
        ours=Ours(mean=far, sd=paper.spread, n=30),
        judgement=judge(problem, "xcs", "generality", Ours(mean=far, sd=paper.spread, n=30)),
    )
    assert cell.judgement.verdict == "match"
    assert distance_remark(cell) == "rounding allowed for"


def test_the_report_has_tables_and_figures_in_the_formats_asked_for(report):
    names = {path.stem for path in (report / "figures").iterdir()}
    assert names == {"single-step", "multi-step", "rmp6", "chain16"}
    for name in names:
        for suffix in ("svg", "pdf", "png"):
            assert (report / "figures" / f"{name}.{suffix}").stat().st_size > 1000
    for suffix in ("md", "tex", "csv"):
        assert (report / "tables" / f"cells-single-step.{suffix}").exists()


def test_the_same_results_give_the_same_report(report, tmp_path):
    formats = ("svg", "pdf", "png")
    again = write_report_of(FakeResults(SMALL), tmp_path / "report", formats).parent
    for path in sorted(report.rglob("*.*")):
        assert (again / path.relative_to(report)).read_bytes() == path.read_bytes(), path.name


def test_figures_are_drawn_if_asked_for_and_then_kept_up_to_date(tmp_path):
    write_report_of(FakeResults(("stein2020/rmp6",), reps=2), tmp_path)
    assert not (tmp_path / "figures").exists()
    write_report_of(FakeResults(("stein2020/rmp6",), reps=2), tmp_path, ["svg", "svg"])
    files = sorted(path.name for path in (tmp_path / "figures").iterdir())
    assert files == ["rmp6.svg", "single-step.svg"]
    (tmp_path / "figures" / "rmp6.svg").write_text("old")
    write_report_of(FakeResults(("stein2020/rmp6",), reps=2), tmp_path)
    assert (tmp_path / "figures" / "rmp6.svg").stat().st_size > 1000
    assert sorted(path.name for path in (tmp_path / "figures").iterdir()) == files


def test_figures_in_other_formats_are_refused_before_anything_is_written(tmp_path):
    with pytest.raises(ConfigError, match="figures must be some of svg, pdf, png, got 'gif'"):
        write_report_of(FakeResults(("stein2020/rmp6",), reps=2), tmp_path, ["svg", "gif"])
    assert list(tmp_path.iterdir()) == []


def test_a_new_report_leaves_other_files_alone(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    write_report_of(FakeResults(("stein2020/rmp6",), reps=2), tmp_path)
    assert (tmp_path / "mine.txt").read_text() == "mine"


def test_the_page_shows_paper_ours_verdict_and_volume():
    page = page_of(FakeResults(("stein2020/rmp6",)))
    assert "957.6 ± 3.1 ↑**" in page
    assert "paper 957.64 ± 3.10 ↑**" in page
    assert '<span class="chip match">match</span>' in page
    assert "volume 0.0640 ± 0.0032" in page


def test_text_from_results_is_escaped():
    results = FakeResults(("stein2020/rmp6",), reps=2)
    results.fail(results.cells()[0], 0)
    results._failures[0] = results._failures[0]._replace(error="<script>alert(1)</script>")
    page = page_of(results)
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_a_study_like_the_papers_needs_no_warning():
    assert warnings_of(analyse(FakeResults())) == []


def test_what_weakens_the_verdicts_is_said():
    results = FakeResults(SMALL, reps=3, steps=2000, skip_agents=("dqn",))
    results.fail(results.cells()[0], 2)
    said = " ".join(warnings_of(analyse(results)))
    assert "say nothing about the paper" in said
    assert "4 to 5 % of the steps" in said
    assert "4 of 4 rows rest on 3 runs, the paper's on 30." in said
    assert "what more runs may turn is left open" in said
    assert "no runs for 16-Chain DQN" in said
    assert "Not run at all: Mario, WBC" in said
    assert "Failed runs: 1" in said


def test_verdicts_of_few_runs_are_called_provisional():
    page = page_of(FakeResults(SMALL, reps=3))
    assert "Overview, provisional: 3 runs instead of 30" in page
    assert '<span class="chip open">open</span> Too few runs to tell' in page
    assert "1.1 for the fewest here" in page
    assert "provisional" not in page_of(FakeResults(SMALL))


def test_results_without_runs_are_refused(tmp_path):
    with pytest.raises(StoreError, match="no finished runs"):
        write_report_of(FakeResults(()), tmp_path)


def test_a_folder_that_is_no_store_is_refused_and_left_alone(tmp_path):
    with pytest.raises(StoreError):
        write_report(tmp_path / "nothing")
    assert list(tmp_path.iterdir()) == []


def test_the_command_prints_where_the_page_is(tmp_path, monkeypatch):
    from ruleplay.cli.report import report as command

    made = tmp_path / "results" / "report" / "index.html"
    asked = []

    def write(folder, out, figures):
        asked.append(figures)
        return made

    monkeypatch.setattr("ruleplay.studies.reporting.write_report", write)
    app = typer.Typer()
    app.command()(command)
    for options in ([], ["--figures", "svg, pdf"]):
        result = CliRunner().invoke(app, [str(tmp_path / "results"), *options])
        assert result.exit_code == 0
        assert result.output.strip() == str(made)
    assert asked == [None, ["svg", "pdf"]]


def pack_of(page, name):
    found = re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', page)
    return json.loads(found[1])


def unpack(pack):
    """Read packed arrays as the page's script does."""
    content = gzip.decompress(base64.b64decode(pack["data"]))
    arrays, start = {}, 0
    for name, kind, length in pack["columns"]:
        size = int(kind[1])
        planes = np.frombuffer(content, np.uint8, size * length, start).reshape(size, length)
        arrays[name] = np.ascontiguousarray(planes.T).view(f"<{kind}").reshape(-1)
        start += size * length
    assert start == len(content)
    return arrays


def test_the_page_carries_the_curves():
    results = FakeResults(("stein2020/chain16",), single=2)
    charts = pack_of(page_of(results), "charts-chain16")
    arrays = unpack(charts)
    bands = analyse(results).problems[0].bands
    shape = (len(charts["panels"]), len(charts["agents"]), len(charts["steps"]))
    mean = arrays["mean"].reshape(shape)
    assert [agent["name"] for agent in charts["agents"]] == [name.upper() for name in bands]
    assert charts["panels"][0]["measure"] == "trailing_return"
    band = bands["xcs-er"]
    wanted = np.interp(charts["steps"], band.step, band.mean["system_error"])
    np.testing.assert_allclose(mean[1, 1], wanted, rtol=2.0**-12)
    assert np.isnan(mean[1, 2]).all()  # DQN has no system error
    assert len(arrays["runs"]) == 3 * 2 * len(charts["panels"]) * len(charts["steps"])


def test_the_page_carries_the_rules_of_portraits(tmp_path):
    results = FakeResults(("stein2020/mario",), reps=2)
    results.path = tmp_path
    save_fake_portrait(results, "stein2020/mario", "xcs-er", sizes=(3, 8))
    page = page_of(results)
    rules = pack_of(page, "rules-mario-xcs-er")
    arrays = unpack(rules)
    assert rules["sizes"] == [3, 8]
    assert rules["steps"] == [50_000, 100_000]
    digest = specify_run("stein2020/mario", "xcs-er").digest()
    portrait = read_portrait(tmp_path, digest)
    np.testing.assert_allclose(arrays["lower"], portrait.rules["lower"].ravel(), rtol=2.0**-12)
    np.testing.assert_array_equal(arrays["action"], portrait.rules["action"])
    assert "rules-mario-xcs-er-8" not in page


def test_curves_are_there_as_numbers_too():
    page = page_of(FakeResults(("stein2020/rmp6",)))
    assert "The curves as numbers" in page
    assert "after 100 % of the steps" in page


def test_the_data_of_a_full_study_stay_small(tmp_path):
    results = FakeResults(single=30)
    results.path = tmp_path
    for preset in ("mario", "mountaincar", "mountaincar-t"):
        for agent in ("xcs", "xcs-er"):
            save_fake_portrait(results, f"stein2020/{preset}", agent, sizes=(1200,) * 16)
    sections = [problem_section(report, {}) for report in analyse(results).problems]
    packs = [(section["charts"], section["portraits"]) for section in sections]
    assert len(json.dumps(packs)) < 4_000_000  # of 5 MB for the page


def test_only_measures_that_exist_are_drawn():
    report = analyse(FakeResults(("stein2020/chain16",), reps=2)).problems[0]
    dqn = {"dqn": report.bands["dqn"]}
    assert figures.panels_of(dqn, single_step=False) == [figures.RETURN]
    assert len(figures.panels_of(report.bands, single_step=False)) == 4


def test_blown_up_curves_get_a_logarithmic_axis():
    assert figures.blown_up([np.array([1.0, 2.0, 1e5, 1.0])])
    assert not figures.blown_up([np.array([1.0, 200.0, 400.0])])
    assert not figures.blown_up([])
