# make play    install into .venv and play, in the browser if there is one
# make test    everything that CI runs
# make check-long, make bench    minutes rather than seconds

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
BROWSERS := chromium-headless-shell chromium chromium-browser google-chrome
# One more than there are processors in CI: tests also wait, for programs, browsers and clocks.
WORKERS ?= 3
# Python keeps what it compiles even where the environment says otherwise: the tests start it many times.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: play test lint types imports compiled interpreted docs check-long bench clean

play: $(VENV)/play
	@$(BIN)/zermelo

test: lint types imports compiled interpreted

lint: $(VENV)/test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/test
	$(BIN)/mypy

imports: $(VENV)/test
	$(BIN)/lint-imports

compiled: $(VENV)/test
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -m "not long and not plain and not own_kernels" --durations=25

interpreted: $(VENV)/test
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest -n $(WORKERS) --dist worksteal -m "not long and not compiler and not once" --cov --cov-report=term:skip-covered

check-long: $(VENV)/test
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -m "long or own_kernels" --durations=0

bench: $(VENV)/play
	$(BIN)/zermelo bench

clean:
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
	@$(PIP) install --constraint constraints.txt --editable .
	@touch $@

$(VENV)/test: $(VENV)/play
	@$(PIP) install --no-compile --constraint constraints.txt --group test
	@for browser in $(BROWSERS); do command -v $$browser >/dev/null && exit 0; done; \
	  echo "The page is tested in chromium; trying to install it"; \
	  if [ "$$(id -u)" = 0 ]; then root=; else root="sudo -n"; fi; \
	  $$root apt-get update -qq && { $$root apt-get install -y -qq chromium-headless-shell || $$root apt-get install -y -qq chromium; } \
	  || echo "NO CHROMIUM: the tests of the page in a browser will be skipped."
	@touch $@
