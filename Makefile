# Every target sets up what it needs; a fresh machine needs only make and Python 3.11 or later.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
OUT ?= out/demo
DATA ?= ../shared/data
CHART := deploy/helm/clinical-deid-adapter
MANIFESTS := deploy/kubernetes/deid-adapter.yaml
export PIP_DISABLE_PIP_VERSION_CHECK = 1
# The locks name every package, so nothing is to be resolved; Python compiles what it imports.
# uv takes a tenth of pip's time. It does not read pip's settings: where it finds no index, pip installs.
install = $(BIN)/uv pip install -q --python $(BIN)/python --no-deps $(1) \
	|| $(BIN)/python -m pip install -q --no-deps --no-compile $(1)

# Every process of the tests would compile all modules anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo demo-kafka demo-mart test test-units test-kafka spark-test lint format bench chaos timings soak hostile eval eval-methods ablation models neural-models golden schema docs docs-serve kafka kafka-stop lock clean
.PHONY: browser compiled style deploy-lint manifests audit sbom

demo: $(VENV)/.ready ## run the adapter on the embedded sample feed
	$(BIN)/deid-adapter demo --out $(OUT)

demo-kafka: $(VENV)/.ready ## the same through a real Apache Kafka (needs Java 17 and Maven)
	$(BIN)/deid-adapter demo --kafka "$$(deploy/kafka-local/start)" --out $(OUT)-kafka

demo-mart: $(VENV)/.ready-dev ## the sample feed in a research mart: a release, and five questions with their answers
	$(BIN)/deid-adapter demo --mart --out $(OUT)-mart

test: $(VENV)/.ready-dev ## every test, formatted and typed code included; those with Kafka beside the others
	$(MAKE) --no-print-directory -j3 style test-units test-kafka

test-units: $(VENV)/.ready-dev browser compiled
	$(BIN)/python -m pytest -m "not slow" --ignore=tests/integration -n auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder

# Else all processes that start at once would do this, each by itself.
compiled: $(VENV)/.ready-dev
	$(BIN)/python -m compileall -q adapter
	$(BIN)/python -m adapter.rules

browser: ## chromium for the tests in a browser, where it can be installed
	tests/review/install-chromium

test-kafka: $(VENV)/.ready-dev compiled
	$(BIN)/python -m pytest -v -m "not slow" tests/integration

style: $(VENV)/.ready-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Not part of the tests: what is known of a dependency tomorrow would fail them today.
lint: style ## formatted, typed, and no dependency with a known vulnerability, where that can be asked
	$(BIN)/python deploy/audit.py --where-possible deploy/locked/run.txt

format: $(VENV)/.ready-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.ready-dev ## speed, as ratios measured in one run
	$(BIN)/python -m tests.bench
	$(BIN)/python -m tests.bench.growth
	$(BIN)/python -m tests.bench.mart
	$(BIN)/python -m tests.bench.kafka_throughput

spark-test: $(VENV)/.ready-spark ## archives on a local Spark (needs Java 17 or later); installs the extra spark
	$(BIN)/python -m pytest -n 0 tests/spark

chaos: $(VENV)/.ready-dev ## faults amid a load on a real Kafka, and what became of every message (needs Java 17 and Maven)
	$(BIN)/python -m tests.chaos

timings: $(VENV)/.ready-dev ## how long a start, a stop, a lost worker and a reload take, under load on a real Kafka
	$(BIN)/python -m tests.chaos.timings

soak: $(VENV)/.ready-dev ## 40 minutes at 70 % of the capacity on a real Kafka: memory, lag, latency
	$(BIN)/python -m tests.chaos.soak

hostile: $(VENV)/.ready-dev ## the share of hostile cases that hold, by class
	$(BIN)/python -m tests.hostile --failures

eval: $(VENV)/.ready-dev ## recall and precision on the development corpora
	$(BIN)/python -m tests.evaluation

eval-methods: $(VENV)/.ready-train ## the published systems side by side; takes hours
	$(BIN)/python -m tests.evaluation.methods

ablation: $(VENV)/.ready-train ## what each part of the learned tagger is worth, cross-validated; takes hours
	$(BIN)/python -m tests.evaluation.ablation

models: $(VENV)/.ready-train ## train the shipped models anew; takes hours
	for language in en es de fr; do \
	  $(BIN)/deid-adapter train models/$$language/recipe.toml --data $(DATA) -o models/$$language || exit 1; done

neural-models: $(VENV)/.ready-train ## learn the shipped networks anew, on one core; takes long
	for language in en es de fr; do \
	  XLA_FLAGS=--xla_cpu_multi_thread_eigen=false taskset -c 0 \
	    $(BIN)/deid-adapter train models/$$language/neural/recipe.toml --data $(DATA) -o models/$$language/neural || exit 1; done

slow: $(VENV)/.ready-dev ## the long tests: 20,000 messages through Kafka with five kills, the whole corpus
	$(BIN)/python -m pytest -m slow

golden: $(VENV)/.ready-dev ## write the golden messages anew; review the diff
	$(BIN)/python -m tests.golden

schema: $(VENV)/.ready-dev ## generate rules/schema from hl7apy and fhir.resources
	$(BIN)/deid-adapter schema build --out rules/schema

docs: $(VENV)/.ready-docs ## build the documentation into out/docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet --config-file deploy/mkdocs.yml
	@echo "the documentation is at out/docs/index.html"

docs-serve: $(VENV)/.ready-docs ## serve the documentation on this machine and rebuild it on changes
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs serve --config-file deploy/mkdocs.yml

deploy-lint: $(VENV)/.ready-deploy ## check chart, manifests, unit, Dockerfile, compose file and alerts; needs helm and promtool
	PATH="$(abspath $(BIN)):$$PATH" deploy/lint

manifests: ## render the chart into plain manifests; needs helm
	deploy/kubernetes/render > $(MANIFESTS).new && mv $(MANIFESTS).new $(MANIFESTS)
	for values in everything mllp http; do \
	  deploy/kubernetes/render -f $(CHART)/ci/$$values.yaml > tests/deploy/$$values.yaml.new \
	    && mv tests/deploy/$$values.yaml.new tests/deploy/$$values.yaml || exit 1; done

audit: $(VENV)/.ready-dev ## look all locked dependencies up among known vulnerabilities
	$(BIN)/python deploy/audit.py deploy/locked/*.txt

sbom: $(VENV)/.ready-deploy ## what an image holds, as CycloneDX, into out/sbom.cdx.json
	rm -rf out/sbom && $(PYTHON) -m venv --without-pip out/sbom/venv
	$(BIN)/python -m pip --python out/sbom/venv install -q --require-hashes -r deploy/locked/run.txt
	$(BIN)/python -m pip wheel -q --no-deps --no-build-isolation --wheel-dir out/sbom/dist .
	$(BIN)/python -m pip --python out/sbom/venv install -q --no-deps --no-index out/sbom/dist/*.whl
	$(BIN)/cyclonedx-py environment --pyproject pyproject.toml --mc-type application \
	  --output-reproducible --output-file out/sbom.cdx.json out/sbom/venv/bin/python
	rm -rf out/sbom

kafka: ; deploy/kafka-local/start
kafka-stop: ; deploy/kafka-local/stop

lock: $(VENV)/.ready-dev ## pin every dependency with its hashes
	$(BIN)/uv pip compile pyproject.toml --extra schema --extra evaluate --extra compression --extra mart --extra replay --extra review --extra otel --extra train-neural --group dev --universal --python-version 3.11 \
	  --generate-hashes --no-emit-index-url --no-header --no-annotate -q -o deploy/locked/dev.txt
	$(BIN)/uv pip compile pyproject.toml --extra train --universal --python-version 3.11 -c deploy/locked/dev.txt \
	  --generate-hashes --no-emit-index-url --no-header --no-annotate -q -o deploy/locked/train.txt
	$(BIN)/uv pip compile pyproject.toml --extra spark --universal --python-version 3.11 -c deploy/locked/dev.txt \
	  --generate-hashes --no-emit-index-url --no-header --no-annotate -q -o deploy/locked/spark.txt
	$(BIN)/uv pip compile pyproject.toml --extra docs --universal --python-version 3.11 -c deploy/locked/dev.txt \
	  --generate-hashes --no-emit-index-url --no-header --no-annotate -q -o deploy/locked/docs.txt
	$(BIN)/uv pip compile pyproject.toml --extra postgres --extra http --universal --python-version 3.11 -c deploy/locked/dev.txt \
	  --generate-hashes --no-emit-index-url --no-header --no-annotate -q -o deploy/locked/run.txt
	for group in build install sbom deploy; do \
	  $(BIN)/uv pip compile --group $$group --universal --python-version 3.11 -c deploy/locked/dev.txt \
	    --generate-hashes --no-emit-index-url --no-header --no-annotate -q -o deploy/locked/$$group.txt || exit 1; done

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or later is needed; say PYTHON=python3.12") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)

# The build backend is among the pinned development packages, so nothing unpinned is fetched.
$(VENV)/.ready-dev: $(VENV)/bin/python deploy/locked/dev.txt pyproject.toml
	-$(BIN)/python -m pip install -q --no-deps --only-binary :all: --require-hashes -r deploy/locked/install.txt
	$(call install,--require-hashes -r deploy/locked/dev.txt)
	$(call install,--no-build-isolation -e .)
	touch $@

$(VENV)/.ready: $(VENV)/.ready-dev
	touch $@

$(VENV)/.ready-train: $(VENV)/.ready-dev deploy/locked/train.txt
	$(call install,--require-hashes -r deploy/locked/train.txt)
	touch $@

$(VENV)/.ready-spark: $(VENV)/.ready-dev deploy/locked/spark.txt
	$(call install,--require-hashes -r deploy/locked/spark.txt)
	touch $@

$(VENV)/.ready-docs: $(VENV)/.ready-dev deploy/locked/docs.txt
	$(call install,--require-hashes -r deploy/locked/docs.txt)
	touch $@

$(VENV)/.ready-deploy: $(VENV)/.ready-dev deploy/locked/deploy.txt
	$(call install,--require-hashes -r deploy/locked/deploy.txt)
	touch $@

clean:
	rm -rf $(VENV) out build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
