"""Classify tumours with rules that people can read.

Run with: python examples/classify_breast_cancer.py [number of presentations] [--out PICTURE]

The picture shows the rules over the plane of two measurements.
"""

import argparse

from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier

from ruleplay import XCSClassifier
from ruleplay.rules import draw_map

FEATURES = ["worst radius", "worst texture", "worst concave points", "mean concavity"]


def main(n_steps: int = 50_000, out: str | None = None) -> float:
    data = load_breast_cancer(as_frame=True)
    rows, labels = data.data[FEATURES], data.target_names[data.target]
    train_rows, test_rows, train_labels, test_labels = train_test_split(
        rows, labels, test_size=0.3, stratify=labels, random_state=0
    )
    model = XCSClassifier(n_steps=n_steps, random_state=0).fit(train_rows, train_labels)
    accuracy = model.score(test_rows, test_labels)
    tree = DecisionTreeClassifier(random_state=0).fit(train_rows, train_labels)
    print(f"accuracy on unseen tumours: {accuracy:.3f}", end=" ")
    print(f"(a decision tree: {tree.score(test_rows, test_labels):.3f})")
    print(f"{len(model.rules_)} rules, of which the weightiest are:")
    print(model.rules_text(top=6))
    first = test_rows.head(1)
    probabilities = model.predict_proba(first)[0]
    for label, probability in zip(model.classes_, probabilities, strict=True):
        print(f"the first unseen tumour is {label} with probability {probability:.2f}")
    if out:
        draw_map(model.engine_, ["worst radius", "worst concave points"], path=out)
    return accuracy


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("n_steps", nargs="?", type=int, default=50_000)
    parser.add_argument("--out", help="where to save the picture")
    main(**vars(parser.parse_args()))
