"""Read a CSV or Parquet file in chunks of rows, as often as asked."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from os import PathLike
from pathlib import Path
from typing import Any

import pandas as pd

from ruleplay.engine.inputs import checked_integer
from ruleplay.errors import ConfigError

PARQUET = (".parquet", ".pq")
PARQUET_BUFFER = 1 << 20  # bytes of a column that are read at a time, however long it is


@dataclass(frozen=True)
class ChunkFile:
    """A file whose rows are yielded in chunks, (X, y), each time that it is iterated over."""

    path: Path
    target: str
    chunk_rows: int
    drop: tuple[str, ...]
    categorical: tuple[str, ...]
    missing: tuple[str, ...]
    separator: str

    def __iter__(self) -> Iterator[tuple[pd.DataFrame, Any]]:
        tables = self._parquet() if self.path.suffix.lower() in PARQUET else self._csv()
        for table in tables:
            labels = table[self.target].to_numpy()
            yield self._with_categories(table.drop(columns=self.target)), labels

    def _csv(self) -> Iterator[pd.DataFrame]:
        options: dict[str, Any] = {
            "sep": self.separator,
            "dtype": dict.fromkeys(self.categorical, str),
            "na_values": list(self.missing),
        }
        self._check_names(list(pd.read_csv(self.path, nrows=0, **options).columns))
        options |= {"usecols": lambda name: name not in self.drop, "low_memory": False}
        with pd.read_csv(self.path, chunksize=self.chunk_rows, **options) as tables:
            yield from tables

    def _parquet(self) -> Iterator[pd.DataFrame]:
        if find_spec("pyarrow") is None:
            raise ConfigError(
                "Parquet files need the package pyarrow: pip install 'ruleplay[parquet]'"
            )
        reader = import_module("pyarrow.parquet").ParquetFile
        with reader(self.path, pre_buffer=False, buffer_size=PARQUET_BUFFER) as file:
            names = file.schema_arrow.names
            self._check_names(names)
            kept = [name for name in names if name not in self.drop]
            for batch in file.iter_batches(self.chunk_rows, columns=kept):
                table = batch.to_pandas()
                yield table.mask(table.isin(self.missing)) if self.missing else table

    def _check_names(self, names: list[str]) -> None:
        """Refuse names that are no columns."""
        for name in (self.target, *self.drop, *self.categorical):
            if name not in names:
                raise ConfigError(f"{self.path} has no column {name!r}; it has {names}")

    def _with_categories(self, table: pd.DataFrame) -> pd.DataFrame:
        """Return the table with its columns of text as categories."""
        for name in table.columns:
            if name in self.categorical or not _is_numeric(table[name].dtype):
                table[name] = table[name].astype("category")
        return table


def _is_numeric(dtype: Any) -> bool:
    return pd.api.types.is_numeric_dtype(dtype) or isinstance(dtype, pd.CategoricalDtype)


def read_chunks(
    path: str | PathLike[str],
    target: str,
    *,
    chunk_rows: int = 100_000,
    drop: Collection[str] = (),
    categorical: Collection[str] = (),
    missing: Collection[str] = (),
    separator: str = ",",
) -> ChunkFile:
    """Return the rows of a CSV or Parquet file as chunks for `XCSClassifier.fit_chunks`.

    Each chunk is a frame of the features and an array of the labels, and only one is in memory.
    Columns of text are categories. Parquet files (.parquet, .pq) need pyarrow.

    Args:
        path: The file; the first line of a CSV file names the columns.
        target: The column that holds the classes.
        chunk_rows: Rows in a chunk.
        drop: Columns that are left out.
        categorical: Columns of numbers that are categories, too.
        missing: Texts that stand for missing values, besides empty ones and NA.
        separator: What stands between the fields of a CSV file.
    """
    file = Path(path)
    if not file.is_file():
        raise ConfigError(f"{file}: there is no such file")
    rows = checked_integer("chunk_rows", chunk_rows, 1)
    return ChunkFile(file, target, rows, tuple(drop), tuple(categorical), tuple(missing), separator)
