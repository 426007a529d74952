# Everything runs in .venv, the demonstration in a small environment of its own. A target sets up
# what it needs where that is missing, or where the lock file has changed since.
PYTHON ?= python3
VENV = .venv
DEMO = .venv-demo
SITE = .venv-site
READY = $(VENV)/ready
CLIENTS = tests/e2e/node_modules/.ready
AXE = tests/browser/node_modules/.ready
# The tests write many small files: into memory, where there is room to run them from.
MEMORY := $(shell grep -s ' /dev/shm ' /proc/mounts | grep -qv noexec && \
  df -Pm /dev/shm | awk 'NR == 2 && $$4 > 4000 { print "TMPDIR=/dev/shm" }')
# Three workers share the processors: more threads of their products would only wait.
PYTEST = $(MEMORY) OPENBLAS_NUM_THREADS=1 $(VENV)/bin/python -m pytest -n 3 --dist worksteal
# Kernels of OpenBLAS, whose products differ in the last digit; Zen has that of Haswell.
KERNELS = Haswell Sandybridge Prescott
NUMERIC = tests/retrieval tests/server/retrieval tests/server/taxonomy tests/documentation/index

# Where it is set, each start of Python compiles what it imports anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL = help
.PHONY: help demo test test-kernels e2e clients browser test-all check docs examples bench plot pictures lock clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' Makefile

demo: $(DEMO)/ready  ## render an example, and show what an agent gets from each hook
	@$(DEMO)/bin/python -m examples.demo

test: $(READY)  ## run the tests of every module, but the long ones: 3 minutes
	$(PYTEST) -m "not long" --ignore=tests/e2e --ignore=tests/browser $(ARGUMENTS)

test-kernels: $(READY)  ## run the tests of scores with what other processors multiply by
	for kernel in $(KERNELS); do \
	  OPENBLAS_CORETYPE=$$kernel $(PYTEST) -n 2 -m "not long" $(NUMERIC) $(ARGUMENTS) || exit 1; done

e2e: $(READY) $(CLIENTS)  ## run the tests with the real clients
	$(PYTEST) -rs tests/e2e $(ARGUMENTS)

clients: $(READY) $(CLIENTS)  ## record what the real clients do, and write docs/clients.md
	$(MEMORY) $(VENV)/bin/python -m pytest --record -rs tests/e2e/test_clients.py $(ARGUMENTS)
	$(VENV)/bin/python docs/write_clients.py

browser: $(READY) $(AXE)  ## run the tests of the lesson server's page in a real browser
	$(PYTEST) -rs tests/browser $(ARGUMENTS)

test-all: $(READY) $(CLIENTS) $(AXE) $(SITE)/ready  ## run every test, and each property on all its examples
	$(PYTEST) -rs --hypothesis-profile=thorough $(ARGUMENTS)

check: $(READY)  ## check style, formats and types
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy

docs: $(SITE)/ready  ## build the site of the documentation, in build/site/index.html
	$(SITE)/bin/python docs/build_site.py build

examples: $(READY)  ## render and record anew what examples/ shows
	$(VENV)/bin/python -m examples.refresh
	$(VENV)/bin/python -m examples.record_lessons

bench: $(VENV)/bench  ## time the hooks, the command line and the server
	$(VENV)/bin/python -m benchmarks.bench_docsearch $(ARGUMENTS)
	$(VENV)/bin/python -m benchmarks.bench_tool_routing $(ARGUMENTS)
	$(VENV)/bin/python -m benchmarks.bench_lesson_hook $(ARGUMENTS)
	$(VENV)/bin/python -m benchmarks.bench_command_line --rounds 10
	$(VENV)/bin/python -m benchmarks.bench_stack
	$(VENV)/bin/python -m benchmarks.bench_retrieval
	$(VENV)/bin/python -m benchmarks.bench_server
	$(VENV)/bin/python -m benchmarks.bench_categories

plot: $(VENV)/bench  ## draw docs/keywords.svg anew
	$(VENV)/bin/python -m benchmarks.plot_keywords $(ARGUMENTS)

pictures: $(READY)  ## draw the terminals and the page of the documentation anew
	$(VENV)/bin/python docs/draw_terminals.py
	$(VENV)/bin/python docs/draw_page.py

lock: $(READY)  ## update uv.lock, which pins what pyproject.toml asks for
	$(VENV)/bin/uv lock --upgrade

clean:  ## remove the environments, and what tests and checks leave
	rm -rf $(VENV) $(DEMO) $(SITE) build tests/e2e/node_modules tests/browser/node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(READY): uv.lock pyproject.toml
	$(call create,$(VENV),700 MB,--extra server)

$(VENV)/bench: $(READY)
	$(call create,$(VENV),100 MB,--extra server --group bench)

$(DEMO)/ready: uv.lock
	$(call create,$(DEMO),90 MB,--only-group demo)

$(SITE)/ready: uv.lock
	$(call create,$(SITE),140 MB,--only-group docs-site)

# The real clients, for tests/e2e. Without npm, or without a network, those tests are skipped.
$(CLIENTS): tests/e2e/package-lock.json
	@echo "Installing the real clients into tests/e2e/node_modules, 1.6 GB ..."
	@if command -v npm >/dev/null; then npm ci --prefix tests/e2e --no-audit --no-fund || true; fi
	@mkdir -p $(@D) && touch $@

# What checks the accessibility of the page.
$(AXE): tests/browser/package-lock.json
	@if command -v npm >/dev/null; then npm ci --prefix tests/browser --no-audit --no-fund || true; fi
	@mkdir -p $(@D) && touch $@

# An environment: its folder, how large it becomes, and what of uv.lock it has. It begins with uv
# itself, by the hashes of that file.
define create
@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || \
  { echo "Python 3.10 or later is needed: make $(MAKECMDGOALS) PYTHON=/path/to/python3"; exit 1; }
@echo "Setting up $(1) with $$($(PYTHON) --version), $(2) ..."
@$(PYTHON) -m venv $(1) || \
  { echo "The venv module is missing: install it (Debian: apt install python3-venv)"; exit 1; }
@sed -n '/^name = "uv"$$/,/^$$/ { s/^version = "\(.*\)"/uv==\1 \\/p; s/.*hash = "\([^"]*\)".*/  --hash=\1 \\/p; }' \
  uv.lock > $(1)/uv.txt
$(1)/bin/python -m pip install --disable-pip-version-check --quiet --require-hashes -r $(1)/uv.txt
UV_PROJECT_ENVIRONMENT=$(1) $(1)/bin/uv sync --quiet --frozen --inexact $(3)
@touch $@
endef
