"""`ruleplay predict` applies a saved model to new rows, and says what it does not know of them."""

import json

import numpy as np
import pandas as pd
import pytest

from integration.customers import call, customers
from ruleplay import RuleListClassifier, XCSClassifier
from ruleplay.cli.predicting import predicting

NEW = customers(120, 1)


@pytest.fixture(scope="module")
def model(customers_model):
    return customers_model


@pytest.fixture
def new(tmp_path):
    def write(table=NEW, name="new.csv", **options):
        table.to_csv(tmp_path / name, index=False, **options)
        return tmp_path / name

    return write


def answers_in(path):
    return pd.read_csv(path, dtype=str, keep_default_na=False)


def test_rows_are_written_with_the_answers_of_the_list(model, new, tmp_path):
    out = tmp_path / "answers.csv"
    done = call("predict", model, new(), "--out", out)
    assert done.exit_code == 0, done.output
    table = answers_in(out)
    assert list(table) == [*NEW, "predicted_churn", "probability"]
    listed = RuleListClassifier.load(model)
    assert table["predicted_churn"].tolist() == listed.predict(NEW).tolist()
    expected = listed.predict_proba(NEW).max(axis=1)
    np.testing.assert_allclose(table["probability"].astype(float), expected, atol=1e-4)
    pd.testing.assert_frame_equal(table[list(NEW)], NEW.astype(object), check_dtype=False)
    assert "decided by the list of" in done.stdout
    assert f"predictions: {out}" in done.stderr


def test_all_rules_answer_on_request(model, new, tmp_path):
    out = tmp_path / "answers.csv"
    done = call("predict", model, new(), "--all", "--out", out)
    assert answers_in(out)["predicted_churn"].tolist() == (
        XCSClassifier.load(model).predict(NEW).tolist()
    )
    assert " rules\n" in done.stdout


def test_a_score_is_given_if_the_true_classes_are_there(model, new, tmp_path):
    done = call("predict", model, new(), "--out", tmp_path / "a.csv")
    right = int((RuleListClassifier.load(model).predict(NEW) == NEW["churn"]).sum())
    assert "beside the column 'churn':" in done.stdout
    assert f"({right} of 120; 95 % interval" in done.stdout
    assert "in truth" in done.stdout
    other = new(NEW.drop(columns="churn"), "other.csv")
    assert "accuracy" not in call("predict", model, other).output


def test_rows_of_the_file_that_was_learned_from_flatter_and_that_is_said(model):
    told = call("predict", model, model.parent / "churn.csv")
    assert "has the name of the file that was learned from" in told.stderr


def test_without_a_file_rows_go_to_standard_output_and_all_else_does_not(model, new):
    done = call("predict", model, new())
    lines = done.stdout.splitlines()
    assert lines[0].endswith(",churn,predicted_churn,probability")
    assert len(lines) == 121
    assert "120 rows, decided by the list of" in done.stderr


def test_a_pipe_is_read(model, new):
    text = new().read_bytes()
    assert call("predict", model, "-", input=text).stdout == call("predict", model, new()).stdout


def test_each_row_has_its_reason(model, new, tmp_path):
    out = tmp_path / "answers.csv"
    table = NEW.assign(tenure=np.where(NEW.index % 2, NEW["tenure"], "?"))
    assert call("predict", model, new(table), "--explain", "--out", out).exit_code == 0
    reasons = answers_in(out)["reason"]
    assert reasons.str.fullmatch(r"rule \d+: IF .+|no rule applies").all()
    unknown = (table["tenure"] == "?") & reasons.str.contains("tenure [≤≥]")
    assert reasons[unknown].str.endswith("(missing: tenure)").all()
    assert unknown.any()
    assert call("predict", model, new(), "--explain", "--all", "--out", out).exit_code == 0
    assert (
        answers_in(out)["reason"]
        .str.fullmatch(r"IF .+ \(the strongest of \d+ rules\)|no rule applies")
        .all()
    )


def test_what_the_model_does_not_know_is_said_and_counted(model, new):
    odd = NEW.drop(columns="churn").assign(
        plan=["Gold"] * 7 + ["Silver"] * 2 + NEW["plan"][9:].tolist(),
        tenure=["many", "500", "400", *NEW["tenure"][3:]],
        price=[f"{value}" for value in np.linspace(50, 70, 120)],
    )
    told = call("predict", model, new(odd)).stderr
    assert "column 'plan': 9 of 120 values are unknown and count as missing: 'Gold' (7)" in told
    assert "values are not numbers and count as missing: 'many' (1)" in told
    assert "column 'tenure': 2 of 11" in told
    assert "values lie beyond 0 to 59, what was learned from (" in told
    assert "to 500 here)" in told
    assert "column 'price': 120 of 120 values lie above" in told
    assert "a quarter of those learned from did" in told


def test_a_column_that_is_not_there_is_missing_and_that_is_said(model, new, tmp_path):
    out = tmp_path / "answers.csv"
    done = call("predict", model, new(NEW.drop(columns=["plan", "price"])), "--out", out)
    assert done.exit_code == 0
    assert "column 'plan' is not there: its value is missing in each row" in done.stderr
    expected = RuleListClassifier.load(model).predict(NEW.assign(plan=None, price=None))
    assert answers_in(out)["predicted_churn"].tolist() == expected.tolist()


def test_many_more_gaps_than_before_are_said(model, new):
    told = call("predict", model, new(NEW.assign(plan=["?"] * 60 + NEW["plan"][60:].tolist())))
    assert "column 'plan': missing in 50 % of the rows, in 0 % of those" in told.stderr


def test_truth_values_and_numbers_may_be_written_otherwise(model, new):
    plain = call("predict", model, new()).stdout
    capitals = new(NEW.assign(is_active=NEW["is_active"].str.upper()), "capitals.csv")
    told = call("predict", model, capitals)
    assert [line.rsplit(",", 2)[1] for line in told.stdout.splitlines()] == [
        line.rsplit(",", 2)[1] for line in plain.splitlines()
    ]
    assert "unknown" not in told.stderr


def test_files_are_read_chunk_by_chunk(model, new, monkeypatch):
    whole = call("predict", model, new(), "--explain")
    monkeypatch.setattr(predicting, "CHUNK", 7)
    parts = call("predict", model, new(), "--explain")
    assert parts.stdout == whole.stdout
    assert parts.stderr == whole.stderr


def test_json_has_every_figure(model, new, tmp_path):
    document = json.loads(call("predict", model, new(), "--json", "--explain").stdout)
    assert document["rows"] == 120 == sum(document["answers"].values())
    assert document["decided_by"] == "short list"
    assert document["columns"]["tenure"]["missing"] == int((NEW["tenure"] == "?").sum())
    assert document["test"]["rows"] == 120
    assert document["predictions"][0].keys() == {"answer", "probability", "reason"}
    out = tmp_path / "a.csv"
    other = json.loads(call("predict", model, new(), "--json", "--out", out).stdout)
    assert other["out"] == str(out)
    assert "predictions" not in other
    assert len(answers_in(out)) == 120


def test_a_column_of_that_name_is_not_overwritten(model, new):
    taken = new(NEW.assign(probability="1", predicted_churn="no"))
    header = call("predict", model, taken).stdout.splitlines()[0]
    assert header.endswith(",probability,predicted_churn,predicted_churn_,probability_")


def test_classes_that_are_new_and_rows_without_one_are_said(model, new):
    truths = ["maybe"] * 3 + [""] * 2 + NEW["churn"][5:].tolist()
    told = call("predict", model, new(NEW.assign(churn=truths))).stderr
    assert "3 rows of the class 'maybe', which the model does not know" in told
    assert "2 rows without a value of 'churn': not counted" in told


def test_another_separator(model, new):
    told = call("predict", model, new(sep=";"), "--separator", ";")
    assert told.exit_code == 0
    assert told.stdout.splitlines()[0].endswith(";churn;predicted_churn;probability")


def test_models_made_in_python_predict_as_well(new, tmp_path):
    rows = pd.DataFrame({"size": np.arange(40.0), "kind": pd.Categorical(["a", "b"] * 20)})
    labels = np.arange(40) >= 20
    made = XCSClassifier(n_steps=2000, population_size=200, random_state=0).fit(rows, labels)
    made.save(tmp_path / "m.ruleplay")
    path = new(rows.assign(big=labels))
    done = call("predict", tmp_path / "m.ruleplay", path, "--target", "big")
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert lines[0] == "size,kind,big,predicted_big,probability"
    assert [line.split(",")[3] for line in lines[1:]] == list(map(str, made.predict(rows)))
    right = int((made.predict(rows) == labels).sum())
    assert f"({right} of 40;" in done.stderr


@pytest.mark.parametrize(
    ("content", "arguments", "message"),
    [
        (
            "a,b\n1,2\n",
            [],
            "has none of the columns that churn.ruleplay has learned from (tenure, ",
        ),
        ("tenure;plan\n1;Pro\n", ["--separator", ","], "is --separator right?"),
        ("tenure,plan\n1\n", [], "line 2: 1 field, but the first line names 2 columns"),
        ("tenure,plan\n", [], "has column names but no rows"),
        ("", [], "is empty"),
        (b"tenure,plan\n1,Pro\n2,caf\xe9\n", [], "line 3: byte 0xe9 is not UTF-8"),
        (b"tenure,plan\n1,Pro\n2,\0\n", [], "is a binary file"),
        ("tenure,plan\n1,Pro\n", ["--target", "chrn"], "--target: unknown column: 'chrn'"),
        ("tenure,plan\n1,Pro\n", ["--all", "--max-rules", 1], "--all contradicts --max-rules"),
        ("tenure,plan\n1,Pro\n", ["--out", "x.json"], "--out must end in .csv"),
    ],
)
def test_what_cannot_be_used_is_refused_in_one_line(model, tmp_path, content, arguments, message):
    path = tmp_path / "odd.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    done = call("predict", model, path, *arguments)
    assert done.exit_code == 2
    assert message in done.stderr
    assert done.stderr.startswith("error: ")


def test_an_error_on_the_way_leaves_no_half_file(model, tmp_path, monkeypatch):
    monkeypatch.setattr(predicting, "CHUNK", 1)
    path, out = tmp_path / "odd.csv", tmp_path / "answers.csv"
    path.write_text("tenure,plan\n1,Pro\n2\n")
    assert call("predict", model, path, "--out", out).exit_code == 2
    assert sorted(p.name for p in tmp_path.iterdir()) == ["odd.csv"]


def test_predictions_are_replaced_by_predictions_only(model, new, tmp_path):
    out = tmp_path / "answers.csv"
    for arguments in ([], ["--explain"], []):
        assert call("predict", model, new(), "--out", out, *arguments).exit_code == 0
    refused = call("predict", model, new(), "--out", new(name="mine.csv"))
    assert refused.exit_code == 2
    assert "is not a table of predictions that ruleplay has written" in refused.stderr


def test_a_model_that_acts_is_refused(tmp_path, new):
    path = tmp_path / "mux.ruleplay"
    assert call("run", "stein2020/rmp6", "--steps", 50, "--save", path).exit_code == 0
    done = call("predict", path, new())
    assert done.exit_code == 2
    assert "is not a model that classifies" in done.stderr


def test_linear_predictions_take_no_gaps(tmp_path, new):
    table = pd.DataFrame({"x": np.arange(40.0) * 1.5, "y": np.arange(40.0) % 7})
    learned = new(table.assign(big=table["x"] > 30), "old.csv")
    path = tmp_path / "linear.ruleplay"
    arguments = ("--set", "prediction=linear", "--epochs", 3, "--save", path)
    assert call("fit", learned, "--target", "big", *arguments).exit_code == 0
    assert call("predict", path, new(table)).exit_code == 0
    for odd in (table.drop(columns="y"), table.assign(y="?")):
        done = call("predict", path, new(odd))
        assert done.exit_code == 2
        assert "'y'" in done.stderr
