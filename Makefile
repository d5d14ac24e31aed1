# Two commands matter: `make demo` shows the product, `make test` proves it. Both install what they need.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet -c constraints.txt

# Real corpora for tests and measurements, where they lie beside the checkout.
NLIPROBE_DATA ?= $(abspath $(wildcard ../shared/data))
export NLIPROBE_DATA

.PHONY: demo test lint types bench docs clean

demo: $(VENV)/.core
	$(BIN)/nliprobe demo

test: $(VENV)/.test lint
	$(BIN)/python -m pytest -n 2 --dist worksteal $(PYTEST)

lint: $(VENV)/.test
	$(BIN)/ruff check src tests benchmarks scripts examples
	$(BIN)/ruff format --check src tests benchmarks scripts examples
	$(BIN)/mypy

bench: $(VENV)/.test
	$(BIN)/python benchmarks/all.py

docs: $(VENV)/.docs
	$(BIN)/sphinx-build -W --keep-going -b html docs docs/_build/html

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.core: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) -e .
	@touch $@

$(VENV)/.test: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) -e '.[test,lint]'
	@touch $@ $(VENV)/.core

$(VENV)/.docs: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) -e '.[docs]'
	@touch $@

clean:
	rm -rf $(VENV) build dist docs/_build .mypy_cache .ruff_cache .pytest_cache
