# The tasks of a contributor; see CONTRIBUTING.md. PYTHON names the environment: make test PYTHON=.venv/bin/python
PYTHON ?= python3
WORKERS ?= 3

.PHONY: all check test e2e e2e-slow bench

all:
	$(PYTHON) -m pytest -n $(WORKERS) --dist loadgroup

check:
	$(PYTHON) -m pytest tests/repo

test:
	$(PYTHON) -m pytest tests/unit -n $(WORKERS) --dist loadgroup

e2e:
	$(PYTHON) -m pytest tests/e2e

e2e-slow:
	PAITAI_SLOW=1 $(PYTHON) -m pytest tests/e2e -n $(WORKERS) --dist loadgroup

bench:
	$(PYTHON) benchmarks/scoring/bench_score.py
	$(PYTHON) benchmarks/reading/bench_read.py
	$(PYTHON) benchmarks/serving/bench_shutter.py
	$(PYTHON) benchmarks/serving/bench_phones.py --seconds 60
