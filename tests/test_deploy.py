"""What lies under deploy/ fits the program: settings, ports, metrics, locked dependencies."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from adapter.audit import Metrics
from adapter.config.settings import load_settings
from adapter.errors import CODES

DEPLOY = Path(__file__).resolve().parent.parent / "deploy"
DASHBOARD = json.loads((DEPLOY / "grafana/dashboards/adapter.json").read_text("utf-8"))
ALERTS = (DEPLOY / "prometheus/alerts.yml").read_text("utf-8")
COMPOSE = (DEPLOY / "compose.yaml").read_text("utf-8")
DOCKERFILE = (DEPLOY / "Dockerfile").read_text("utf-8")
YAML = sorted(p for end in ("yml", "yaml") for p in DEPLOY.rglob(f"*.{end}"))


def queries() -> list[str]:
    """Every PromQL expression of the dashboard and of the alerts."""
    of_panels = [target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]]
    return of_panels + re.findall(r"expr: (.+)", ALERTS)


def exposed() -> set[str]:
    """Names of the series the adapter exposes, labelled ones too."""
    metrics = Metrics()
    metrics.released.labels("hl7v2")
    metrics.held.labels("tag", "timeout")
    metrics.spans.labels("DATE", "field")
    metrics.lag.labels("in-0")
    lines = metrics.exposition().decode().splitlines()
    return {re.split(r"[{ ]", line)[0] for line in lines if not line.startswith("#")}


def labels() -> dict[str, set[str]]:
    """Labels of each metric, by the name it has in queries."""
    metrics = Metrics()
    return {
        "deid_released_total": set(metrics.released._labelnames),
        "deid_held_total": set(metrics.held._labelnames),
        "deid_spans_total": set(metrics.spans._labelnames),
        "deid_lag_records": set(metrics.lag._labelnames),
    }


@pytest.mark.parametrize("query", queries())
def test_every_metric_asked_for_exists(query):
    """Dashboard and alerts ask for series that the adapter exposes, by labels they have."""
    names = set(re.findall(r"\bdeid_\w+", query))
    assert names <= exposed()
    wanted = set(re.findall(r"(\w+)!?=~?\"", query)) | {
        name.strip() for group in re.findall(r"by \(([^)]*)\)", query) for name in group.split(",")
    }
    known = {"le", "job"}.union(*(labels().get(name, set()) for name in names))
    assert wanted <= known


@pytest.mark.parametrize("query", queries())
def test_brackets_of_queries_are_closed(query):
    """No expression is cut off."""
    for opened, closed in ("()", "[]", "{}"):
        assert query.count(opened) == query.count(closed)


def test_every_metric_is_on_the_dashboard():
    """An operator sees every metric without writing a query."""
    suffixes = r"_(?:bucket|sum|count|created)$"
    asked = {re.sub(suffixes, "", n) for q in queries() for n in re.findall(r"\bdeid_\w+", q)}
    offered = {re.sub(suffixes, "", name) for name in exposed()}
    assert (
        offered - {f"{name}" for name in asked}
        == {name.removesuffix("_total") for name in asked if name.endswith("_total")} & offered
    )


def test_alerts_name_stages_that_exist():
    """An alert on a stage would never fire if the stage had another name."""
    assert set(re.findall(r'stage="(\w+)"', ALERTS)) <= set(CODES)


def test_panels_have_one_place_each():
    """No two panels of the dashboard overlap, and none leaves its 24 columns."""
    taken: set[tuple[int, int]] = set()
    for panel in DASHBOARD["panels"]:
        place = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert not cells & taken
        assert place["x"] + place["w"] <= 24
        taken |= cells
    assert len(DASHBOARD["panels"]) == len({panel["id"] for panel in DASHBOARD["panels"]})


def test_the_data_source_is_the_provisioned_one():
    """The dashboard asks the data source that Grafana is given."""
    source = (DEPLOY / "grafana/provisioning/datasources/prometheus.yaml").read_text("utf-8")
    uid = re.search(r"uid: (\w+)", source)[1]
    assert {uid} == {panel["datasource"]["uid"] for panel in DASHBOARD["panels"]}


@pytest.mark.parametrize("path", YAML, ids=lambda path: path.name)
def test_yaml_is_of_one_piece(path):
    """Blank indentation in steps of two, no tab, no key twice in one mapping."""
    seen: dict[tuple[str, ...], set[str]] = {}
    trail: list[tuple[int, str]] = []
    literal = None
    for line in path.read_text("utf-8").splitlines():
        indent = len(line) - len(line.lstrip(" "))
        if literal is not None and (not line.strip() or indent > literal):
            continue
        literal = None
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        assert "\t" not in line
        assert indent % 2 == 0
        item = line.lstrip().startswith("- ")
        indent += 2 if item else 0
        trail = [step for step in trail if step[0] < indent]
        if item:
            trail.append((indent - 1, f"item {len(seen)} {line}"))
        found = re.match(r"([\w.\"-]+):(?: (.*))?$", line.strip().removeprefix("- "))
        if found:
            where = tuple(name for _, name in trail)
            assert found[1] not in seen.setdefault(where, set())
            seen[where].add(found[1])
            trail.append((indent, found[1]))
        if re.search(r"(?::|-) [|>]-?$", line):
            literal = indent - 2 if item else indent


def test_the_settings_of_the_container_are_accepted():
    """deploy/adapter.toml can be loaded as it stands."""
    settings = load_settings(DEPLOY / "adapter.toml")
    assert ("kafka", ("hl7.in", "fhir.in")) == (settings.transport, settings.kafka.topics)
    assert settings.keys.surrogates.file == DEPLOY / "secrets/surrogates.key"


def test_compose_makes_every_topic_of_the_settings():
    """Inputs, outputs, quarantine and audit exist before the adapter starts."""
    kafka = load_settings(DEPLOY / "adapter.toml").kafka
    made = set(re.search(r"for topic in (.+); do", COMPOSE)[1].split())
    templates = ("{topic}", kafka.output, kafka.quarantine)
    wanted = {t.replace("{topic}", name) for name in kafka.topics for t in templates}
    assert wanted | {kafka.audit} == made


def test_ports_agree():
    """Image, compose file, Prometheus and settings mean one port; the broker's address is known."""
    settings = load_settings(DEPLOY / "adapter.toml")
    port = settings.health.port
    assert f"EXPOSE {port}\n" in DOCKERFILE
    assert f"http://127.0.0.1:{port}/healthz" in DOCKERFILE
    assert f'- "127.0.0.1:{port}:{port}"' in COMPOSE
    prometheus = (DEPLOY / "prometheus/prometheus.yml").read_text("utf-8")
    assert f'targets: ["adapter:{port}"]' in prometheus
    assert f'"PLAINTEXT://{settings.kafka.bootstrap_servers},' in COMPOSE


def test_compose_waits_longer_than_the_adapter_drains():
    """A stop of the container never cuts a drain short."""
    grace = int(re.search(r"stop_grace_period: (\d+)s", COMPOSE)[1])
    assert load_settings(DEPLOY / "adapter.toml").workers.drain_seconds < grace


def test_compose_listens_on_this_machine_only():
    """No port is open to the network."""
    ports = re.findall(r'^      - "([\d.:]+)"$', COMPOSE, re.MULTILINE)
    assert ports
    assert [] == [port for port in ports if not port.startswith("127.0.0.1:")]


def test_compose_mounts_what_exists():
    """Every file and folder that is mounted is there; the secrets are made by the operator."""
    mounted = re.findall(r"^      - \./(\S+?):", COMPOSE, re.MULTILINE)
    assert ["secrets"] == [path for path in mounted if not (DEPLOY / path).exists()]


def test_the_kafka_is_the_one_the_tests_use():
    """Compose file and local start are of one version."""
    pom = (DEPLOY / "kafka-local/pom.xml").read_text("utf-8")
    version = re.search(r"<kafka.version>(.+)</kafka.version>", pom)[1]
    assert {version} == set(re.findall(r"image: apache/kafka:(\S+)", COMPOSE))


def test_the_image_is_built_from_locked_dependencies():
    """Every install is by hash or without dependencies, and the process is not root."""
    installs = re.findall(r"bin/pip (?:install|wheel)[^\n]*", DOCKERFILE)
    assert [] == [i for i in installs if "--require-hashes" not in i and "--no-deps" not in i]
    last = DOCKERFILE.rpartition("\nFROM ")[2]
    assert re.search(r"^USER (?!0\b|root\b)", last, re.MULTILINE)
    for copied in re.findall(r"^COPY (?!--from)(.+) \S+$", DOCKERFILE, re.MULTILINE):
        assert [] == [path for path in copied.split() if not (DEPLOY.parent / path).exists()]


def test_no_secret_is_in_the_tree_or_the_image():
    """Keys beside the compose file stay out of version control and of the build context."""
    assert "secrets/" in (DEPLOY / ".gitignore").read_text("utf-8").split()
    context = (DEPLOY / "Dockerfile.dockerignore").read_text("utf-8").split("\n")
    assert ("*", "**/secrets") == (context[1], context[-2])


def test_no_index_address_is_in_the_locked_files():
    """Where packages come from is the installer's business."""
    for path in sorted((DEPLOY / "locked").glob("*.txt")):
        assert re.search(r"--(?:extra-)?index-url|https?://", path.read_text("utf-8")) is None
