# Every target makes the virtual environment it needs: `make test` works on a fresh clone.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
EXTRAS := $(VENV)/.extras
OUT := out

# Numba's cache does not notice a change in a called function of another file: one cache
# folder per state of the sources.
export NUMBA_CACHE_DIR := $(shell $(PYTHON) tests/conftest.py)

.PHONY: help demo quick test test-all lint types layers unit extras package coverage torture bench \
    dist docs docs-serve note clean
.DEFAULT_GOAL := help

help:
	@echo "make demo      reproduce the paper with three seeds; learn the multiplexer, read its rules"
	@echo "make quick     style, types, layers and what needs no compiling: two minutes or less"
	@echo "make test      lint, types, layers and tests"
	@echo "make test-all  the same, then what needs PyTorch, Ray or ONNX, then the package as users get it"
	@echo "make lint      style only"
	@echo "make coverage  the small tests without compilation, with line coverage of the kernels"
	@echo "make torture   try to break everything: minutes, or hours with TORTURE=full; stop and go on at will"
	@echo "make bench     time per learning step"
	@echo "make dist      wheel and source archive, in dist"
	@echo "make docs      the documentation as a site, in $(OUT)/site; docs-serve shows it while you write"
	@echo "make note      the note on replay as PDF, in docs; needs Chromium"
	@echo "make clean     remove everything that make has made"

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo "ruleplay needs Python 3.11 or newer, e.g. make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --no-compile -c constraints.txt -e '.[dev]'
	@touch $@

# The study comes first: it compiles on all cores what the others then find ready.
demo: $(READY)
	@mkdir -p $(OUT)
	$(BIN)/ruleplay reproduce --quick --out $(OUT)/quick
	$(BIN)/ruleplay run stein2020/rmp6 --agent xcs --seed 0 --plot $(OUT)/rmp6-xcs.svg
	$(BIN)/ruleplay run stein2020/rmp6 --agent xcs-er --seed 0 --plot $(OUT)/rmp6-xcs-er.svg \
	    --save $(OUT)/rmp6.ruleplay
	$(BIN)/ruleplay rules $(OUT)/rmp6.ruleplay --top 16
	@echo "Learning curves: $(OUT)/rmp6-xcs.svg and $(OUT)/rmp6-xcs-er.svg"
	@echo "The paper beside three of our seeds: $(OUT)/quick/report/index.html"

quick: lint types layers
	NUMBA_DISABLE_JIT=1 $(PYTEST) $(LEFT_OUT) -m 'uncompiled and not slow'

test: lint types layers unit

# What `make test` leaves out, and nothing twice.
test-all: test extras package

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy --strict src

layers: $(READY)
	$(BIN)/lint-imports

# Files, not single tests, go to the workers: a file's tests share what they compile.
PYTEST := $(BIN)/pytest -n auto --dist loadfile
LEFT_OUT := --ignore tests/extras --ignore tests/release

unit: $(READY)
	NUMBA_DISABLE_JIT=1 $(PYTEST) $(LEFT_OUT) -m uncompiled
	$(PYTEST) $(LEFT_OUT) -m 'not uncompiled and not paper'

# The constraints matter: another PyTorch than theirs may come with gigabytes for graphics cards.
$(EXTRAS): $(READY)
	$(BIN)/python -m pip install --quiet --no-compile -c constraints.txt -e '.[dqn,ray,onnx,parquet]' \
	    onnxruntime polars box2d minigrid
	@touch $@

extras: $(EXTRAS)
	$(PYTEST) tests/extras

package: $(READY)
	$(BIN)/pytest tests/release

dist: $(READY)
	rm -rf dist
	$(BIN)/python -m build

coverage: $(READY)
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest -m interpreted --cov

# What was done is in $(OUT)/torture, and a second start goes on from there.
TORTURE ?= quick
torture: $(READY)
	PYTHONPATH=src:tests $(BIN)/python -m torture $(TORTURE) --out $(OUT)/torture

bench: $(READY)
	$(BIN)/ruleplay bench

docs docs-serve: export NO_MKDOCS_2_WARNING := 1

docs: $(READY)
	$(BIN)/mkdocs build --strict --site-dir $(OUT)/site
	@echo "The site is in $(OUT)/site; make docs-serve shows it"

docs-serve: $(READY)
	$(BIN)/mkdocs serve --strict --watch src

note: $(READY)
	$(BIN)/python docs/refresh_tables.py
	$(BIN)/python docs/print_page.py does-replay-harm

clean:
	rm -rf $(VENV) $(OUT) build dist .numba_cache .mypy_cache .ruff_cache .pytest_cache \
	    .import_linter_cache .hypothesis .benchmarks .coverage
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +
