# The tasks of a contributor; see CONTRIBUTING.md. PYTHON names the environment: make test PYTHON=.venv/bin/python
PYTHON ?= python3
WORKERS ?= 3

.PHONY: all check test explore e2e e2e-slow e2e-firefox features bench lock wheels mutants site release

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

# The same tests and page objects in Firefox; what its driver cannot do is a row of tests/e2e/support/engines.py.
e2e-firefox:
	PAITAI_ENGINE=firefox $(PYTHON) -m pytest tests/e2e --ignore=tests/e2e/pocket --ignore=tests/e2e/pocket_reading

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
