# make demo     build and measure the embedded demo set in ./demo
# make test     run the tests
# make check    lint, types, layers, house rules and generated docs
# make install  everything that test and check need, in .venv

PYTHON ?= $(shell command -v python3.11 || echo python3)
DEMO ?= demo

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
NEEDS := pyproject.toml constraints.txt

.DEFAULT_GOAL := help
.PHONY: help demo install test check docs clean

help:
	@sed -n 's/^# //p;/^$$/q' Makefile

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Pyrite needs Python 3.11 or later; name one, as in: make PYTHON=/usr/bin/python3.11"; exit 1; }
	$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

# A stamp is newer than what it was made from, so that a second run installs nothing.
$(VENV)/.base: $(NEEDS) | $(BIN)/python
	$(PIP) install --quiet -c constraints.txt -e .
	@touch $@

$(VENV)/.everything: $(NEEDS) | $(BIN)/python
	$(PIP) install --quiet -c constraints.txt -e ".[dev,models,languages]"
	@touch $@ $(VENV)/.base

demo: $(VENV)/.base
	$(BIN)/pyrite demo --out $(DEMO)

install: $(VENV)/.everything

test: $(VENV)/.everything
	$(BIN)/python -m pytest -n auto

check: $(VENV)/.everything
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -q tests/test_house.py
	$(BIN)/python -m pyrite.cli.reference --check docs/reference/cli.md

docs: $(VENV)/.everything
	$(BIN)/python -m pyrite.cli.reference docs/reference/cli.md

clean:
	rm -rf $(VENV) $(DEMO) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
