# Two commands matter: `make demo` shows the product, `make test` proves it. Both install what they need.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
INSTALL := -m pip --disable-pip-version-check install --quiet
# The versions of constraints.txt, so that a release elsewhere does not break a build here; `make lock` renews them.
PIP := $(BIN)/python $(INSTALL) -c constraints.txt
# Three processes on two cores: tests wait for children, browsers and disks a quarter of their time.
PYTEST_RUN := -m pytest -n 3 --dist worksteal $(PYTEST)
# What tests write goes into memory where 4 GB of it are free for files: to wait for the disk took them a tenth of their
# time. Names, links and errors are those of a file system all the same. TMPDIR chooses another place.
MEMORY := $(if $(TMPDIR),,$(shell test -w /dev/shm && df -Pk /dev/shm | awk 'NR == 2 && $$4 > 4000000 { print "/dev/shm" }'))
IN_MEMORY := $(addprefix TMPDIR=,$(MEMORY))
SOURCES := src tests benchmarks scripts examples

# Real corpora for tests and measurements, where they lie beside the checkout.
NLIPROBE_DATA ?= $(abspath $(wildcard ../shared/data))
export NLIPROBE_DATA

# Tests start the command hundreds of times: where an image forbids it, Python would compile every module each time.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo test lint docs bench simulate fuzz test-torch test-studio test-results test-corpora test-faults test-properties test-exchange test-lowest test-matrix walk lock dist clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(VENV)/.core  ## show the product
	$(BIN)/nliprobe demo

test: $(VENV)/.test  ## lint, type-check, build the manual, run the tests (PYTEST=… for options)
	$(MAKE) --no-print-directory -j 2 lint docs
	$(IN_MEMORY) $(BIN)/python $(PYTEST_RUN)

lint: $(VENV)/.test  ## ruff and mypy
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/mypy

docs: $(VENV)/.test  ## build the manual in docs/_build/html; a warning is an error
	$(BIN)/sphinx-build -W --keep-going -q -b html docs docs/_build/html

bench: $(VENV)/.test  ## measured comparisons; results in benchmarks/results
	$(BIN)/python benchmarks/all.py

simulate: $(VENV)/.test  ## the long simulations of which `make test` runs small ones
	$(IN_MEMORY) $(BIN)/python $(PYTEST_RUN) -m simulation

fuzz: $(VENV)/.test  ## run the parsers on N=100000 hostile inputs (TARGET=… for one of them)
	$(BIN)/python -m tests.fuzz --inputs $(or $(N),100000) $(addprefix --target ,$(TARGET))

# Networks have an environment of their own, so that types and tests of the core are checked without torch.
test-torch: $(VENV)-torch/.installed  ## install the extras for models and engines, test trainer, adapters and engines
	$(VENV)-torch/bin/python -c 'import torch, transformers, tokenizers, onnxruntime, onnxscript, httpx2, fastapi, ray'
	$(IN_MEMORY) HF_HUB_OFFLINE=1 $(VENV)-torch/bin/python $(PYTEST_RUN) tests/training tests/models tests/engine

# Load comes last and alone: pages in a browser are looked at by a clock, and two hundred raters take both cores.
LOAD := tests/studio/load
# Options such as -k may choose tests of one of two commands only.
NONE_IS_FINE = $(if $(PYTEST), || [ $$? = 5 ])
test-studio: $(VENV)/.test  ## the studio in Chromium, many raters at once, killed servers, PostgreSQL (Debian's packages; skipped where they are not there)
	$(IN_MEMORY) $(BIN)/python $(PYTEST_RUN) -m 'studio and not simulation' tests --ignore $(LOAD)$(NONE_IS_FINE)
	NLIPROBE_LOAD_JUDGEMENTS=$(or $(JUDGEMENTS),20000) $(IN_MEMORY) $(BIN)/python $(PYTEST_RUN) -m studio $(LOAD)$(NONE_IS_FINE)

test-results: $(VENV)/.test  ## compute the tables and pages of results again, from shipped answers and real corpora
	$(IN_MEMORY) $(BIN)/python $(PYTEST_RUN) -m results tests

test-corpora: $(VENV)/.test  ## read every split of every real corpus whole, and check it against what was published
	$(IN_MEMORY) $(BIN)/python $(PYTEST_RUN) -m corpora tests

test-faults: $(VENV)/.test  ## damaged files, full disks, kills, hostile input: nothing is lost, and everything is a sentence
	$(IN_MEMORY) $(BIN)/python $(PYTEST_RUN) -m 'faults and not studio' tests

test-properties: $(VENV)/.test  ## the property tests with 100 examples each (EXAMPLES=…); `make test` draws 40
	NLIPROBE_EXAMPLES=$(or $(EXAMPLES),100) $(IN_MEMORY) $(BIN)/python $(PYTEST_RUN) -m 'hypothesis and not simulation and not studio' tests

# Harnesses and trackers pull many packages, which the core must not need.
test-exchange: $(VENV)-exchange/.installed  ## install the harnesses and trackers, test what is exported in them; a skip fails
	NLIPROBE_NO_SKIPS=1 HF_HUB_OFFLINE=1 $(VENV)-exchange/bin/python -m pytest $(PYTEST) tests/exchange

test-lowest: $(VENV)-lowest/.installed  ## the tests with the lowest versions that pyproject.toml allows, without torch
	$(IN_MEMORY) $(VENV)-lowest/bin/python $(PYTEST_RUN)

test-matrix:  ## the tests with Python 3.11, 3.12 and 3.13, as far as they are installed
	$(PYTHON) scripts/matrix.py --venv $(abspath $(VENV)) -- $(PYTEST)

walk: $(VENV)/.core  ## the files and functions that one pair passes on its way into a run
	$(BIN)/python scripts/walk.py $(WALK)

lock: $(VENV)/.dist  ## write constraints.txt anew from pyproject.toml (UPGRADE=--upgrade for the newest versions)
	$(BIN)/python scripts/lock.py $(UPGRADE)

dist: $(VENV)/.dist  ## build sdist and wheel, check what is in them, try the wheel
	rm -rf dist
	$(BIN)/python -m build --outdir dist .
	$(BIN)/python scripts/check_wheel.py dist

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.core: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) -e .
	@touch $@

$(VENV)/.test: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) -e '.[test,lint,docs,http,people,studio]'
	@touch $@ $(VENV)/.core

$(VENV)/.dist: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python $(INSTALL) $(if $(wildcard constraints.txt),-c constraints.txt) -e '.[dist]'
	@touch $@

$(VENV)-torch/.installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)-torch
	$(VENV)-torch/bin/python $(INSTALL) -c constraints.txt -e '.[test,torch,http,onnx,export,ray,serving]'
	@touch $@

$(VENV)-exchange/.installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)-exchange
	$(VENV)-exchange/bin/python $(INSTALL) -c constraints.txt -e '.[test,exchange,harnesses]'
	@touch $@

# What the lowest versions need in turn is free: only what pyproject.toml promises is tested.
$(VENV)-lowest/.installed: pyproject.toml scripts/lowest.py
	$(PYTHON) -m venv --clear $(VENV)-lowest
	$(PYTHON) scripts/lowest.py > $(VENV)-lowest/lowest.txt
	$(VENV)-lowest/bin/python $(INSTALL) --only-binary=:all: -r $(VENV)-lowest/lowest.txt
	$(VENV)-lowest/bin/python $(INSTALL) --no-deps -e .
	@touch $@

clean:  ## remove what make has built
	rm -rf $(VENV) $(VENV)-torch $(VENV)-exchange $(VENV)-lowest $(VENV)-3.11 $(VENV)-3.12 $(VENV)-3.13 build dist docs/_build .mypy_cache .ruff_cache .pytest_cache
