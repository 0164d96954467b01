# Everything here builds its own environment in .venv; nothing else on the machine is touched.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
export OMP_NUM_THREADS ?= 1

.PHONY: test slow lint types demo bench verify dataset clean

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

demo: $(READY) ## read drawn answers on bundled photos, then run the built-in benchmark with two trial systems and report it
	$(BIN)/python -m provise.demo
	$(BIN)/provise run --system 'draughtsman?accuracy=.8&seed=1' --out demo/first
	$(BIN)/provise run --system 'draughtsman?accuracy=.6&seed=2' --out demo/second
	$(BIN)/provise report demo/first demo/second --out demo/report

bench: $(READY) ## speed as ratios, written to docs/SPEED.md
	$(BIN)/python bench/speed.py --out docs/SPEED.md

verify: $(READY) ## the certificate, written to docs/CONFORMANCE.md
	$(BIN)/provise protocol verify --answers 1000 --seed 0 --out docs/CONFORMANCE.md --json-out docs/conformance.json

dataset: $(READY) ## the Hub dataset repository of the drawn scenes, written to dataset_script/
	rm -rf build/synth
	$(BIN)/provise benchmark build synth --per-task 4 --out build/synth
	$(BIN)/provise benchmark build hub --from build/synth --out dataset_script --shrink --replace --repository provise/SpatialGen-Bench

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis demo
