# `make help` lists the targets: a target is public if its line ends with a comment that begins with ##.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# What tests need besides Python: a browser and these programs, named as their Debian packages are (see tests/outside.py).
BROWSERS := chromium-headless-shell chromium chromium-browser google-chrome
PROGRAMS := g++ stockfish gnugo
GAMES := /usr/games:/usr/local/games
# One more than there are processors in CI: tests also wait, for programs, browsers and clocks.
WORKERS ?= 3
# Python keeps what it compiles even where the environment says otherwise: the tests start it many times.
unexport PYTHONDONTWRITEBYTECODE
# A representative part of the tests: every layer, the games that are models for others, one algorithm of each family.
QUICK := tests/core tests/kernel tests/choice tests/draw tests/arena tests/testing tests/textbook \
  $(addprefix tests/games/test_,hexapawn.py connectfour.py chess.py registry.py) \
  $(addprefix tests/search/test_,engine.py expectiminimax.py mcts.py perft.py) tests/solve/test_forcing.py \
  $(addprefix tests/protocols/test_,uci_server.py gtp_server.py) $(addprefix tests/web/test_web_,api.py sessions.py) \
  tests/cli/test_command_answers.py

.PHONY: play help test quick format lint types imports compiled interpreted check-long bench clean

play: $(VENV)/play  ## install into .venv and play, in the browser if there is one
	@$(BIN)/zermelo

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

test: lint types imports compiled interpreted  ## everything that CI runs, in at most 10 minutes

quick: lint types imports  ## lint, types, imports and a representative part of the tests, in at most a minute
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest -n 2 --dist worksteal -m "not long and not compiler and not once" $(QUICK)

format: $(VENV)/test  ## repair what ruff can repair, and format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

lint: $(VENV)/test  ## ruff: rules and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/test  ## mypy, strict
	$(BIN)/mypy

imports: $(VENV)/test  ## the layers of the package map
	$(BIN)/lint-imports

compiled: $(VENV)/test  ## the tests that need the compiler or run in both modes
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -m "not long and not plain and not own_kernels" --durations=25

interpreted: $(VENV)/test  ## the tests without the compiler, with coverage
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest -n $(WORKERS) --dist worksteal -m "not long and not compiler and not once" --cov --cov-report=term:skip-covered

check-long: $(VENV)/test  ## the tests that take minutes
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -m "long or own_kernels" --durations=0

bench: $(VENV)/play  ## measurements beside other programs
	$(BIN)/zermelo bench

clean:  ## remove .venv and all caches
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .coverage

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
