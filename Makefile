# A fresh Debian needs `make` and `python3-venv`; everything else comes from PyPI into .venv.
#   make demo        set up, then run the demo
#   make test        set up, then run every check within stated bounds
#   make test-rules  one part of the tests (also: kozel model cases corpora notation differential dealing merkle log store table service
#                    recovery audit contest client clients cli wheel)
#   make test-compiled  most tests again on the core compiled by mypyc, which needs a C compiler
#   make mutation    deliberate faults of the rules, and mutmut over the modules that do their arithmetic; an hour or so
#   make test-long   the tests with the big counts (REFEREE_LONG=1, which works with each part too)
#   make clients     build and test the clients of every language whose tools are here, and judge each (also: client-go client-rust ...);
#                    then all play at one table, and a new bot of each language is begun
#   make spec        explore the formal specification and prove its settlement, within stated bounds; needs Java (also: spec-full spec-tlc spec-dafny)
#   make trace-matrix  write docs/traceability.md: rule, specification, code, tests, cases

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Further words for pytest, for example PYTEST_ARGS="-k SIZE -x".
PYTEST_ARGS ?=
# With REFEREE_LONG set, tests read bigger counts, so that none is cut off by the time allowed for the bounded ones.
# Both cores: a file of tests runs whole in one of the two processes, in the order of the files; the last ones are short.
JOBS ?= 2
PYTEST := $(BIN)/python -m pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder $(if $(REFEREE_LONG),--timeout=0) $(PYTEST_ARGS)
PARTS := rules kozel model cases corpora notation differential dealing merkle log store table service recovery audit contest client clients cli
COMPILED := build/compiled/checkout
COMPILED_PARTS := rules kozel cases notation differential dealing store table service recovery client packaging/test_core.py
CHECKS := lint types proto-check
CLIENTS := python go typescript java rust
# What building each takes, and its example bot.
TOOLS_go := go
TOOLS_typescript := node npm
TOOLS_java := javac mvn
TOOLS_rust := cargo
BOT_python := $(BIN)/python clients/python/bot
BOT_go := clients/go/build/bot
BOT_typescript := clients/typescript/build/bot
BOT_java := clients/java/bot
BOT_rust := clients/rust/bot
# The games that a client plays; poker where nothing is said.
GAMES_python := poker kozel
GAMES_go := poker kozel

.PHONY: venv demo test test-long test-wheel clients $(CLIENTS:%=client-%) $(PARTS:%=test-%) lint types proto proto-check proto-baseline \
	spec spec-full spec-tlc spec-dafny trace-matrix mutation bench profile compiled test-compiled wheel wheel-compiled clean
.DEFAULT_GOAL := test

venv: $(VENV)/.installed

# The stamp, not the folder, says that the install went through.
$(VENV)/.installed: pyproject.toml
	@test -x $(BIN)/pip || $(PYTHON) -m venv --clear $(VENV) || \
		{ echo "FAILED: no virtual environment; on Debian run: apt-get install python3-venv" >&2; exit 1; }
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

demo: venv
	$(BIN)/referee demo

# Every check runs whatever the ones before it said; pytest goes last, so that its closing lines end the output.
test: venv
	@failed=; \
	for check in $(CHECKS); do \
		$(MAKE) --no-print-directory $$check || { failed="$$failed $$check"; echo "FAILED: make $$check" >&2; }; \
	done; \
	$(PYTEST) || failed="$$failed pytest"; \
	if [ -n "$$failed" ]; then echo "FAILED:$$failed" >&2; exit 1; fi

test-long: export REFEREE_LONG = 1
test-long:
	@$(MAKE) --no-print-directory test

$(PARTS:%=test-%): test-%: venv
	$(PYTEST) tests/$*

# Each is built, tested, and judged by the conformance check; what cannot be built here is said, and is no failure.
clients: venv
	@failed=; \
	for language in $(CLIENTS); do \
		$(MAKE) --no-print-directory client-$$language || { failed="$$failed $$language"; echo "FAILED: make client-$$language" >&2; }; \
	done; \
	$(PYTEST) tests/clients/test_one_table.py tests/clients/test_new_bot.py || failed="$$failed tables"; \
	if [ -n "$$failed" ]; then echo "FAILED:$$failed" >&2; exit 1; fi

$(CLIENTS:%=client-%): client-%: venv
	@mkdir -p build; \
	for tool in $(TOOLS_$*); do \
		command -v $$tool >/dev/null || { echo "SKIPPED: clients/$*: no $$tool here"; exit 0; }; \
	done; \
	$(MAKE) -C clients/$* build && $(MAKE) -C clients/$* test && \
		for game in $(or $(GAMES_$*),poker); do \
			$(BIN)/python -m referee conformance --strict --game $$game --cmd '$(BOT_$*)' \
				--junit build/conformance-$*-$$game.xml || exit 1; \
		done

test-wheel: venv
	$(PYTEST) tests/packaging

lint: venv
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports

types: venv
	$(BIN)/mypy

proto: venv
	$(BIN)/python tools/generate_protos.py

proto-check: venv
	$(BIN)/buf lint
	$(BIN)/buf breaking proto --against proto/baseline.binpb
	$(BIN)/python tools/generate_protos.py --check

# Run it when a change of the contract lands, or new messages could break unseen; a break needs a CHANGELOG line too.
proto-baseline: venv
	$(BIN)/buf build proto --exclude-source-info --output proto/baseline.binpb

# Everything that explores or proves the specification within stated bounds; fetches TLC and Dafny's prover.
spec: spec-tlc spec-dafny

spec-full: venv
	$(BIN)/python -m spec.tools.check --full
	$(BIN)/python -m spec.kozel.check --full
	$(BIN)/python -m spec.tools.pictures --check
	$(BIN)/python -m spec.binding.graphs --run full
	$(BIN)/python -m spec.kozel.graphs --run full
	$(MAKE) --no-print-directory spec-dafny

spec-tlc: venv
	$(BIN)/python -m spec.tools.check
	$(BIN)/python -m spec.kozel.check
	$(BIN)/python -m spec.tools.pictures --check

spec-dafny: venv
	$(BIN)/python -m spec.dafny.run

trace-matrix: venv
	$(BIN)/python -m tools.trace_matrix

# A copy of the checkout whose core is compiled; where there is no C compiler it says so.
compiled: venv
	$(BIN)/python -m tools.compiled_tree

# The same tests on the compiled core.
test-compiled: compiled
	cd $(COMPILED) && .venv/bin/python -m pytest $(if $(REFEREE_LONG),--timeout=0) $(PYTEST_ARGS) $(COMPILED_PARTS:%=tests/%)

# Benchmarks run the compiled core.
bench: compiled
	cd $(COMPILED) && .venv/bin/python -m tools.benchmarks --json ../../bench.json \
		--usual ../../../tools/benchmarks/usual.json $(BENCH_ARGS)

# Where a server's time goes under load, by perf (Linux); build/profile.txt.
profile: compiled
	cd $(COMPILED) && .venv/bin/python -m tools.benchmarks.profile --out ../../profile.txt $(PROFILE_ARGS)

mutation: venv
	$(BIN)/python spec/mutation/run.py --check
	$(BIN)/python spec/mutation/overall.py

wheel: venv
	$(BIN)/python -m build --wheel

# For this platform, with the compiled core beside the sources.
wheel-compiled: venv
	$(BIN)/python -m tools.compiled_tree --wheel dist

clean:
	rm -rf build dist *.egg-info .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -not -path './$(VENV)/*' -prune -exec rm -rf {} +
