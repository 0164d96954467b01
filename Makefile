# Everything here builds its own environment in .venv; nothing else on the machine is touched.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
export OMP_NUM_THREADS ?= 1

.PHONY: test slow lint types demo bench verify clean

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet -e ".[test]"
	touch $(READY)

test: lint types ## the checks and the fast tests
	$(BIN)/python -m pytest -n 2 -m "not slow"

slow: $(READY) ## the tests that take longer
	$(BIN)/python -m pytest -n 2 -m slow

lint: $(READY)
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .

types: $(READY)
	$(BIN)/python -m mypy

demo: $(READY) ## draw answers on bundled photos, read them, show the evidence
	$(BIN)/python -m provise.demo

bench: $(READY) ## reading speed as ratios, written to docs/SPEED.md
	$(BIN)/python bench/reading.py --out docs/SPEED.md

verify: $(READY) ## the certificate, written to docs/CONFORMANCE.md
	$(BIN)/provise protocol verify --answers 1000 --seed 0 --out docs/CONFORMANCE.md --json-out docs/conformance.json

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis demo
