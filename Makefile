# The two commands of the README, and what CI runs. Everything is installed into .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PROGRAMS := dovecot-imapd dovecot-sieve isync chromium postgresql default-jre-headless
SOURCES := pyproject.toml CMakeLists.txt $(wildcard native/*.* native/mail/*.*)

.PHONY: demo test lint docs pictures sanitize portable fuzz bench clean

demo: $(VENV)/installed
	$(BIN)/likely demo

test: $(VENV)/tested programs
	$(BIN)/python -m pytest -n auto

# Programs that the tests run: an IMAP server with its filter, a program that syncs with it, a browser, a database, Java for Spark. If you are not root, install them yourself, or their tests are skipped.
.PHONY: programs
programs:
	@if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && ! { command -v dovecot && command -v sieve-test && command -v mbsync && command -v chromium && command -v pg_ctlcluster && command -v java; } >/dev/null; then \
		export DEBIAN_FRONTEND=noninteractive; \
		{ apt-get install -y $(PROGRAMS) || { apt-get update && apt-get install -y $(PROGRAMS); }; } >/dev/null; \
	fi

lint: $(VENV)/linted
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	for platform in linux darwin win32; do \
		$(BIN)/mypy --platform $$platform --cache-dir .mypy_cache/$$platform || exit 1; \
	done
	$(BIN)/lint-imports

# The site, in docs/_build/html, and the manual page, docs/_build/man/likely.1: a warning is an error, the pages of the course run, and links inside the site lead somewhere.
docs: $(VENV)/documented
	$(BIN)/sphinx-build -q -W --keep-going -b html docs docs/_build/html
	$(BIN)/sphinx-build -q -b man docs docs/_build/man
	$(BIN)/python docs/links.py docs/_build/html

# The pictures of the README and of the desk's page, made anew.
pictures: $(VENV)/tested programs
	$(BIN)/python docs/pictures.py

# The kernels' own tests, on a build of the core under AddressSanitizer and UBSan that is kept apart.
sanitize: $(VENV)/tested
	PYTHON=$(abspath $(BIN)/python) sh native/sanitize.sh

# The same tests on a build by clang, with plain code for what compilers and machines have of their own.
portable: $(VENV)/tested
	PYTHON=$(abspath $(BIN)/python) sh native/rebuilt.sh portable -DLIKELY_PLAIN=ON -DCMAKE_CXX_COMPILER=clang++

# The code for text and mail on what a fuzzer makes up, against plain code, for FUZZ_SECONDS (60).
fuzz: $(VENV)/installed
	PYTHON=$(abspath $(BIN)/python) sh native/fuzz/run.sh

bench: $(VENV)/tested
	$(BIN)/python -m pip install --quiet 'likely[bench]'
	$(BIN)/python -m bench speed

clean:
	rm -rf $(VENV) build dist

$(VENV)/installed: $(SOURCES)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

# Likely is installed by then: what follows adds the packages of an extra, and compiles nothing again.
$(VENV)/tested: $(VENV)/installed
	$(BIN)/python -m pip install --quiet 'likely[test]'
	touch $@

$(VENV)/documented: $(VENV)/tested
	$(BIN)/python -m pip install --quiet 'likely[docs]'
	touch $@

$(VENV)/linted: $(VENV)/tested
	$(BIN)/python -m pip install --quiet 'likely[lint]'
	touch $@
