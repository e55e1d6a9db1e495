# The tasks of a contributor; see CONTRIBUTING.md. PYTHON names the environment: make test PYTHON=.venv/bin/python
PYTHON ?= python3
WORKERS ?= 3
WEBKIT_TESTS = $(addprefix tests/e2e/test_, page.py game.py records.py label.py referee.py house_rules.py table_rules.py say.py season.py)

.PHONY: all check test explore long e2e e2e-slow e2e-firefox e2e-webkit lanes windows features bench lock wheels mutants site release

all:
	$(PYTHON) -m pytest -n $(WORKERS) --dist loadgroup

check:
	$(PYTHON) -m pytest tests/repo

test:
	$(PYTHON) -m pytest tests/unit -n $(WORKERS) --dist loadgroup

explore:
	REFERENCE_HANDS=20000 $(PYTHON) -m pytest tests/unit -n $(WORKERS) --dist loadgroup --hypothesis-profile explore

# Small real trainings and the like: minutes, with the extra `train`.
long:
	$(PYTHON) -m pytest tests/unit -m long -s

e2e:
	$(PYTHON) -m pytest tests/e2e

e2e-slow:
	PAITAI_SLOW=1 $(PYTHON) -m pytest tests/e2e -n $(WORKERS) --dist loadgroup

# The long lanes: the same tests and page objects in other engines, and the pocket edition's journeys (tests/e2e/engines).
# Each module has a process, a log and a time limit of its own. What an engine or its driver cannot do is a row of
# tests/e2e/support/engines.py or of its driver's part in tests/e2e/support/webdriver, and is skipped with that reason.
LANES ?= /tmp/paitai-lanes
BY_MODULE = $(PYTHON) benchmarks/platforms/modules.py
ENGINE_TESTS = $(wildcard tests/e2e/engines/test_*.py)

e2e-firefox:
	PAITAI_ENGINE=firefox $(BY_MODULE) $(LANES)/firefox $(wildcard tests/e2e/test_*.py tests/e2e/scripts/test_*.py) $(ENGINE_TESTS)

# Debian: webkit2gtk-driver python3-gi gir1.2-webkit2-4.1 xvfb.
e2e-webkit:
	PAITAI_ENGINE=webkit xvfb-run -a $(BY_MODULE) $(LANES)/webkit $(ENGINE_TESTS) $(WEBKIT_TESTS)

# A few tests of each lane, as CI runs them; in the environment .venv.
lanes:
	.ci/lanes

# Debian: wine. The Windows build of Python with our own wheel.
windows:
	PYTHONPATH=. $(PYTHON) benchmarks/platforms/windows.py $(LANES)/windows

features:
	$(PYTHON) benchmarks/browsers/features.py

bench:
	$(PYTHON) benchmarks/scoring/bench_score.py
	$(PYTHON) benchmarks/reading/bench_read.py
	$(PYTHON) benchmarks/serving/bench_shutter.py
	$(PYTHON) benchmarks/serving/bench_phones.py --seconds 60

lock:
	$(PYTHON) benchmarks/release/lock.py make

wheels:
	$(PYTHON) benchmarks/release/lock.py check
	$(PYTHON) benchmarks/release/wheels.py

mutants:
	$(PYTHON) benchmarks/testing/mutants.py

site:
	$(PYTHON) -m mkdocs build --strict

release:
	$(PYTHON) benchmarks/release/release.py --twice
