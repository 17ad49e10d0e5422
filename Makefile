# make demo     build, measure and mine the embedded demo texts in ./demo
# make test     run the tests
# make nightly  kill builds at every point, and a machine of a cluster; an hour
# make check    lint, types, layers, house rules and generated docs
# make site     the manual as a site, in docs/_build
# make install  everything that test and check need, in .venv

PYTHON ?= $(shell command -v python3.11 || echo python3)
DEMO ?= demo

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
NEEDS := pyproject.toml constraints.txt

.DEFAULT_GOAL := help
.PHONY: help demo install test nightly check docs site clean

help:
	@sed -n 's/^# //p;/^$$/q' Makefile

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Pyrite needs Python 3.11 or later; name one, as in: make PYTHON=/usr/bin/python3.11"; exit 1; }
	$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

# A stamp is newer than what it was made from, so that a second run installs nothing.
$(VENV)/.base: $(NEEDS) | $(BIN)/python
	$(PIP) install --quiet -c constraints.txt -e ".[demo]"
	@touch $@

$(VENV)/.everything: $(NEEDS) | $(BIN)/python
	$(PIP) install --quiet -c constraints.txt -e ".[demo,dev,models,languages]"
	@touch $@ $(VENV)/.base

demo: $(VENV)/.base
	$(BIN)/pyrite demo --out $(DEMO)
	@echo 'These commands need pyrite in the path: . $(VENV)/bin/activate'

install: $(VENV)/.everything

test: $(VENV)/.everything
	$(BIN)/python -m pytest -n auto

nightly: $(VENV)/.everything
	PYRITE_NIGHTLY=1 $(BIN)/python -m pytest tests/pipelines/test_kill_points.py tests/engine/test_ray_host.py

check: $(VENV)/.everything
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -q tests/test_house.py
	$(BIN)/python -m pyrite.cli.reference --check docs/reference/cli.md
	$(BIN)/sphinx-build -q -W --keep-going docs docs/_build

docs: $(VENV)/.everything
	$(BIN)/python -m pyrite.cli.reference docs/reference/cli.md

# A warning, a broken link among them, stops it.
site: $(VENV)/.everything
	$(BIN)/sphinx-build -q -W --keep-going docs docs/_build

clean:
	rm -rf $(VENV) $(DEMO) docs/_build .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
