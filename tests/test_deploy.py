"""What lies under deploy/ fits the program: settings, ports, metrics, locked dependencies."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml

from adapter.config.settings import load_settings
from adapter.errors import CODES
from adapter.telemetry.metrics import Metrics
from tests.deploy.yaml_files import documents

DEPLOY = Path(__file__).resolve().parent.parent / "deploy"
DASHBOARD = json.loads((DEPLOY / "grafana/dashboards/adapter.json").read_text("utf-8"))
ALERTS = (DEPLOY / "prometheus/alerts.yml").read_text("utf-8")
COMPOSE = (DEPLOY / "compose.yaml").read_text("utf-8")
DOCKERFILE = (DEPLOY / "Dockerfile").read_text("utf-8")
YAML = sorted(
    path
    for end in ("yml", "yaml")
    for path in DEPLOY.rglob(f"*.{end}")
    if path.parent.name not in ("templates", "tests")
)


def queries() -> list[str]:
    """Every PromQL expression of the dashboard and of the alerts."""
    of_panels = [target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]]
    return of_panels + re.findall(r"expr: (.+)", ALERTS)


def exposed() -> set[str]:
    """Names of the series the adapter exposes, labelled ones too."""
    metrics = Metrics()
    for metric in vars(metrics).values():
        if getattr(metric, "_labelnames", ()):
            metric.labels(*metric._labelnames)
    lines = metrics.exposition().decode().splitlines()
    return {re.split(r"[{ ]", line)[0] for line in lines if not line.startswith("#")}


def labels(series: str) -> set[str]:
    """Labels of a series, by the name it has in queries."""
    names = {
        metric.describe()[0].name: set(metric._labelnames)
        for metric in vars(Metrics()).values()
        if hasattr(metric, "_labelnames")
    }
    return names[re.sub(r"_(?:total|bucket|sum|count)$", "", series)]


@pytest.mark.parametrize("query", queries())
def test_every_metric_asked_for_exists(query):
    """Dashboard and alerts ask for series that the adapter exposes, by labels they have."""
    names = set(re.findall(r"\bdeid_\w+", query))
    assert names <= exposed()
    wanted = set(re.findall(r"(\w+)!?=~?\"", query)) | {
        name.strip() for group in re.findall(r"by \(([^)]*)\)", query) for name in group.split(",")
    }
    known = {"le", "job"}.union(*map(labels, names))
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


RULES = re.findall(
    r"- alert: (\w+)\n(?:        .*\n)*?          severity: (\w+)\n"
    r"        annotations:\n(?:          .*\n)*?          runbook: \"docs/alerts.md#(\w+)\"\n",
    ALERTS,
)
"""Name, severity and heading of the page, of each alert that has all of them."""


def test_every_alert_has_a_severity_and_a_page():
    """Whoever is woken finds what to do; the page has no section for an alert that is gone."""
    page = (DEPLOY.parent / "docs/alerts.md").read_text("utf-8")
    headings = re.findall(r"^## (\w+)$", page, re.MULTILINE)
    assert re.findall(r"- alert: (\w+)", ALERTS) == [name for name, _, _ in RULES] == headings
    assert [name.lower() for name in headings] == [anchor for _, _, anchor in RULES]
    assert {"critical", "warning"} == {severity for _, severity, _ in RULES}
    severities = re.findall(r"^\*(\w+)\*\. ", page, re.MULTILINE)
    assert severities == [severity for _, severity, _ in RULES]


def test_alerts_name_what_may_lack():
    """Codes and things that runbooks and alerts speak of are the program's."""
    page = (DEPLOY.parent / "docs/alerts.md").read_text("utf-8")
    assert set(
        re.findall(r"`(fenced|no-topic|forbidden|offset-lost|timed-out|unreachable)`", page)
    ) == {code for code in CODES["transport"] if code not in {"too-large", "send-failed"}}


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
def test_no_yaml_names_a_key_twice(path):
    """YAML's parsers keep the last of two and say nothing; ours refuses."""
    assert list(documents(path.read_text("utf-8")))


def test_a_key_named_twice_is_found():
    """The check above can fail."""
    with pytest.raises(yaml.constructor.ConstructorError, match="twice"):
        list(documents("a:\n  b: 1\n  c: 2\n  b: 3\n"))


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
    one_line = DOCKERFILE.replace("\\\n", "")
    installs = re.findall(r"bin/pip [^&\n]*\b(?:install|wheel)\b[^&\n]*", one_line)
    assert len(installs) >= 5
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
