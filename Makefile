# Everything runs in .venv, which each target sets up when it is missing or the lock has changed.
PYTHON ?= python3
VENV = .venv
CLIENT = tests/e2e/node_modules/.ready
READY = $(VENV)/ready
LOCK = $(VENV)/bin/uv pip compile --quiet --universal --python-version 3.10 --no-annotate \
  --no-header --no-emit-index-url --no-emit-find-links pyproject.toml

.PHONY: demo test examples check bench plot pictures lock clean

demo: $(READY)  ## show what an agent is told
	$(VENV)/bin/python examples/demo.py

test: $(READY) $(CLIENT)  ## run the tests
	$(VENV)/bin/python -m pytest -n 2 $(ARGUMENTS)

examples: $(READY)  ## render examples/rendered/ anew
	$(VENV)/bin/python examples/refresh.py

check: $(READY)  ## lint, formats and types
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(VENV)/bin/mypy tests/e2e/*.py

bench: $(VENV)/bench  ## time the hooks side by side
	$(VENV)/bin/python benchmarks/bench_docsearch.py $(ARGUMENTS)
	$(VENV)/bin/python benchmarks/bench_tool_routing.py $(ARGUMENTS)
	$(VENV)/bin/python benchmarks/bench_lesson_hook.py $(ARGUMENTS)
	PYTHONPATH=generator:server $(VENV)/bin/python benchmarks/bench_command_line.py --rounds 10
	PYTHONPATH=server $(VENV)/bin/python benchmarks/bench_retrieval.py
	PYTHONPATH=server $(VENV)/bin/python benchmarks/bench_server.py
	PYTHONPATH=server $(VENV)/bin/python benchmarks/bench_categories.py

plot: $(VENV)/bench  ## draw docs/keywords.svg anew
	$(VENV)/bin/python benchmarks/plot_keywords.py $(ARGUMENTS)

pictures: $(READY)  ## draw the terminals of the README anew
	PYTHONPATH=generator:server $(VENV)/bin/python docs/draw_terminals.py

$(READY): requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || \
	  { echo "Hookwright's tests need Python 3.10 or later: make $(MAKECMDGOALS) PYTHON=/path/to/python3"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
	  { echo "The venv module is missing: install it (Debian: apt install python3-venv)"; exit 1; }
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -r requirements.lock
	@touch $@

$(VENV)/bench: $(READY) benchmarks/requirements.lock
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -r benchmarks/requirements.lock
	@touch $@

# The real client, for tests/e2e. Without npm, or without a network, those tests are skipped.
$(CLIENT): tests/e2e/package-lock.json
	@if command -v npm >/dev/null; then npm ci --prefix tests/e2e --no-audit --no-fund --silent || true; fi
	@mkdir -p $(@D) && touch $@

lock: $(READY)  ## pin what pyproject.toml asks for, for every supported Python
	$(VENV)/bin/python -m pip install --quiet uv
	$(LOCK) --group dev -o requirements.lock
	$(LOCK) --group dev --group bench -o benchmarks/requirements.lock

clean:
	rm -rf $(VENV) tests/e2e/node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis
