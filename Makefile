# The two commands of the README, and what CI runs. Everything is installed into .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := pyproject.toml CMakeLists.txt $(wildcard native/*.* native/mail/*.*)

.PHONY: demo test lint sanitize fuzz bench clean

demo: $(VENV)/installed
	$(BIN)/likely demo

test: $(VENV)/tested
	$(BIN)/python -m pytest -n auto

lint: $(VENV)/linted
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# The kernels' own tests, on a build of the core under AddressSanitizer and UBSan that is kept apart.
sanitize: $(VENV)/tested
	PYTHON=$(abspath $(BIN)/python) sh native/sanitize.sh

# The code for text and mail on what a fuzzer makes up, against plain code, for FUZZ_SECONDS (60).
fuzz: $(VENV)/installed
	PYTHON=$(abspath $(BIN)/python) sh native/fuzz/run.sh

bench: $(VENV)/tested
	$(BIN)/python -m pip install --quiet --editable '.[test,bench]'
	$(BIN)/python -m bench speed

clean:
	rm -rf $(VENV) build dist

$(VENV)/installed: $(SOURCES)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

$(VENV)/tested: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --editable '.[test]'
	touch $@

$(VENV)/linted: $(VENV)/tested
	$(BIN)/python -m pip install --quiet --editable '.[test,lint]'
	touch $@
