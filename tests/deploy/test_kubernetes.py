"""The objects that the chart renders: what a pod may do, sees and is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from adapter.config.secret_files import read_secret
from adapter.config.settings import load_settings
from adapter.runtime.health import answer
from adapter.telemetry.metrics import Metrics
from tests.deploy.yaml_files import documents

ROOT = Path(__file__).resolve().parents[2]
RENDERED = {
    "manifests": ROOT / "deploy" / "kubernetes" / "deid-adapter.yaml",
    "everything": Path(__file__).parent / "everything.yaml",
    "mllp": Path(__file__).parent / "mllp.yaml",
    "http": Path(__file__).parent / "http.yaml",
}
OBJECTS = {
    name: {found["kind"]: found for found in documents(path.read_text("utf-8"))}
    for name, path in RENDERED.items()
}
FOLDER = "/etc/deid-adapter"


@pytest.fixture(params=RENDERED)
def objects(request):
    """Objects by kind; there is one of each kind."""
    return OBJECTS[request.param]


@pytest.fixture
def pod(objects):
    """What every pod is made like."""
    return objects["Deployment"]["spec"]["template"]["spec"]


@pytest.fixture
def container(pod):
    """The one container of a pod."""
    (container,) = pod["containers"]
    return container


@pytest.fixture
def settings(objects, container, tmp_path, monkeypatch):
    """The settings that the program loads in the pod, where nothing else is set."""
    for name, text in objects["ConfigMap"]["data"].items():
        (tmp_path / name).write_text(text, "utf-8")
    for variable in container["env"]:
        is_cpu = "resourceFieldRef" in variable.get("valueFrom", {})
        monkeypatch.setenv(variable["name"], variable.get("value", "2" if is_cpu else "secret"))
    return load_settings(tmp_path / "adapter.toml")


def volumes(pod):
    """Volumes of a pod by name."""
    return {volume["name"]: volume for volume in pod["volumes"]}


def test_kinds_of_objects():
    """What is optional is rendered only on demand; no Secret is ever made."""
    always = {"ConfigMap", "Deployment", "NetworkPolicy", "PodDisruptionBudget", "ServiceAccount"}
    assert set(OBJECTS["manifests"]) == always
    assert set(OBJECTS["everything"]) == always | {"HorizontalPodAutoscaler", "PodMonitor"}
    assert set(OBJECTS["mllp"]) == set(OBJECTS["http"]) == always | {"Service"}


def test_the_program_loads_the_settings_of_the_pod(settings, container, pod):
    """ConfigMap and variables come to settings that are possible, with the pod's port and time."""
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    assert (settings.health.host, settings.health.port) == ("0.0.0.0", ports["http"])
    assert (settings.transport == "mllp") == ("mllp" in ports)
    assert (settings.transport == "http") == ("https" in ports)
    assert settings.workers.drain_seconds + 20 == pod["terminationGracePeriodSeconds"]
    assert settings.workers.processes == 2


def test_there_are_as_many_workers_as_cpus_requested(container):
    """Not as many as the node has cores."""
    (asked,) = [v for v in container["env"] if v["name"] == "DEID_ADAPTER__WORKERS__PROCESSES"]
    assert asked["valueFrom"]["resourceFieldRef"] == {
        "containerName": container["name"],
        "resource": "requests.cpu",
        "divisor": "1",
    }
    assert {"cpu", "memory"} <= set(container["resources"]["requests"])
    assert "memory" in container["resources"]["limits"]


def test_files_are_where_the_settings_look_for_them(objects, settings, container, tmp_path):
    """Keys lie in the mounted Secret, the settings and all files of theirs in the ConfigMap."""
    mounts = {mount["mountPath"]: mount for mount in container["volumeMounts"]}
    assert mounts[f"{FOLDER}/secrets"]["name"] == "keys"
    for key in (settings.keys.surrogates, settings.keys.quarantine, settings.keys.state):
        assert key.file.parent == tmp_path / "secrets"
    for name in objects["ConfigMap"]["data"]:
        mount = mounts[f"{FOLDER}/{name}"]
        assert ("config", name) == (mount["name"], mount["subPath"])
    assert container["args"] == ["run", "--config", f"{FOLDER}/adapter.toml"]
    assert {m["mountPath"] for m in mounts.values() if not m.get("readOnly")} == {"/tmp"}


def test_key_files_have_a_mode_that_the_adapter_accepts(pod, tmp_path, monkeypatch):
    """Root's and readable by the pod's group: `read_secret` takes them; 0444 it would not."""
    secret = volumes(pod)["keys"]["secret"]
    key = tmp_path / "surrogates.key"
    key.write_bytes(b"k")
    key.chmod(secret["defaultMode"] | 0o440)  # what a kubelet makes of it with an fsGroup
    monkeypatch.setattr("os.geteuid", lambda: key.stat().st_uid + 1)
    assert read_secret(key) == b"k"
    assert pod["securityContext"]["fsGroup"] == pod["securityContext"]["runAsGroup"]
    assert "items" not in secret


def test_nothing_of_a_message_reaches_the_disk(pod, container):
    """The root is read-only, and what may be written lies in memory."""
    assert container["securityContext"]["readOnlyRootFilesystem"] is True
    assert volumes(pod)["tmp"]["emptyDir"]["medium"] == "Memory"
    assert {"configMap", "secret", "emptyDir"} >= {k for v in pod["volumes"] for k in v} - {"name"}


def test_the_pod_has_no_rights(pod, container):
    """The restricted Pod Security Standard, and no token of the cluster."""
    of_pod, of_container = pod["securityContext"], container["securityContext"]
    assert of_pod["runAsNonRoot"] is True
    assert min(of_pod["runAsUser"], of_pod["runAsGroup"]) >= 10_000
    assert of_pod["seccompProfile"] == {"type": "RuntimeDefault"}
    assert of_container["allowPrivilegeEscalation"] is False
    assert of_container["capabilities"] == {"drop": ["ALL"]}
    assert pod["automountServiceAccountToken"] is False
    assert not {"hostNetwork", "hostPID", "hostIPC"} & set(pod)


def test_the_user_is_that_of_the_image(pod):
    """A pod that asks for another user could not be told from root's by name."""
    dockerfile = (ROOT / "deploy" / "Dockerfile").read_text("utf-8")
    assert f"\nUSER {pod['securityContext']['runAsUser']}\n" in dockerfile


def test_the_service_account_has_no_token(objects, pod):
    """Neither account nor pod mounts one."""
    account = objects["ServiceAccount"]
    assert account["automountServiceAccountToken"] is False
    assert account["metadata"]["name"] == pod["serviceAccountName"]


class Asked:
    """A runner that is ready, for what the endpoint answers."""

    ready = True
    metrics = Metrics()

    def lacking(self):
        """Nothing it would have to wait for."""
        return ()

    def measure(self):
        """Nothing to bring up to date."""


def test_probes_ask_for_what_the_endpoint_answers(container):
    """Each path exists; a lost broker makes a pod unready and never restarts it."""
    probes = {kind: container[f"{kind}Probe"] for kind in ("startup", "liveness", "readiness")}
    paths = {kind: probe["httpGet"]["path"] for kind, probe in probes.items()}
    assert paths == {"startup": "/healthz", "liveness": "/healthz", "readiness": "/readyz"}
    assert {answer(Asked(), path)[0] for path in paths.values()} == {200}
    assert {probe["httpGet"]["port"] for probe in probes.values()} == {
        container["ports"][0]["name"]
    }
    seconds = {k: p["periodSeconds"] * p["failureThreshold"] for k, p in probes.items()}
    assert seconds["startup"] >= 120
    assert seconds["liveness"] >= 30
    assert seconds["readiness"] <= 30
    assert all(probe["timeoutSeconds"] <= 5 for probe in probes.values())


def test_every_selector_finds_the_pods(objects):
    """Deployment, budget, policy and monitor mean the pods that there are."""
    deployment = objects["Deployment"]["spec"]
    labels = deployment["template"]["metadata"]["labels"].items()
    spread = deployment["template"]["spec"]["topologySpreadConstraints"]
    selectors = [deployment["selector"], *(each["labelSelector"] for each in spread)]
    selectors += [
        objects[kind]["spec"]["selector"]
        for kind in ("PodDisruptionBudget", "PodMonitor")
        if kind in objects
    ]
    if "Service" in objects:
        selectors.append({"matchLabels": objects["Service"]["spec"]["selector"]})
    selectors.append(objects["NetworkPolicy"]["spec"]["podSelector"])
    for selector in selectors:
        assert selector["matchLabels"].items() <= labels


def test_no_pod_starts_beside_as_many_as_partitions(objects):
    """A rollout takes a pod away before it adds one; a drain of a node takes one at a time."""
    rollout = objects["Deployment"]["spec"]["strategy"]["rollingUpdate"]
    assert (0, 1) == (rollout["maxSurge"], rollout["maxUnavailable"])
    budget = objects["PodDisruptionBudget"]["spec"]
    assert (1, "AlwaysAllow") == (budget["maxUnavailable"], budget["unhealthyPodEvictionPolicy"])


def test_the_network_is_closed_but_for_kafka_names_and_metrics(objects, container):
    """Both directions are named, so that what no rule allows is closed."""
    policy = objects["NetworkPolicy"]["spec"]
    assert set(policy["policyTypes"]) == {"Ingress", "Egress"}
    for rule, port in zip(policy["ingress"], container["ports"], strict=False):
        assert rule["from"]
        assert [p["port"] for p in rule["ports"]] == [port["containerPort"]]
    assert len(policy["ingress"]) <= len(container["ports"])
    assert all(rule["ports"] for rule in policy["egress"])
    dns, kafka, *further = policy["egress"]
    assert {(p["protocol"], p["port"]) for p in dns["ports"]} == {("UDP", 53), ("TCP", 53)}
    assert dns["to"]
    assert all(rule["to"] for rule in further)
    assert {p["protocol"] for p in kafka["ports"]} == {"TCP"}


def test_the_broker_of_the_settings_may_be_reached():
    """The plain manifests allow the port of their own settings, and everything else is closed."""
    objects = OBJECTS["manifests"]
    text = objects["ConfigMap"]["data"]["adapter.toml"]
    assert text == (ROOT / "deploy" / "adapter.toml").read_text("utf-8")
    port = int(load_settings(ROOT / "deploy/adapter.toml").kafka.bootstrap_servers.split(":")[1])
    assert port in [p["port"] for p in objects["NetworkPolicy"]["spec"]["egress"][1]["ports"]]
    assert len(objects["NetworkPolicy"]["spec"]["egress"]) == 2


def test_no_metrics_source_is_no_way_in():
    """Without `metricsFrom` nothing may come in, not everything."""
    assert OBJECTS["everything"]["NetworkPolicy"]["spec"]["ingress"] == []


def test_the_autoscaler_asks_for_a_metric_that_exists():
    """It scales the Deployment, which then has no number of its own, by the lag's metric."""
    scaler = OBJECTS["everything"]["HorizontalPodAutoscaler"]["spec"]
    (metric,) = scaler["metrics"]
    metrics = Metrics()
    metrics.lag.labels("hl7.in-0").set(1)
    assert f"\n{metric['pods']['metric']['name']}{{" in metrics.exposition().decode()
    deployment = OBJECTS["everything"]["Deployment"]
    assert scaler["scaleTargetRef"]["name"] == deployment["metadata"]["name"]
    assert "replicas" not in deployment["spec"]
    assert OBJECTS["manifests"]["Deployment"]["spec"]["replicas"] >= 2


def test_the_monitor_scrapes_the_job_that_alerts_ask_for(container):
    """Its port exists, and the alert on the job's absence means these pods."""
    (endpoint,) = OBJECTS["everything"]["PodMonitor"]["spec"]["podMetricsEndpoints"]
    assert endpoint["port"] == container["ports"][0]["name"]
    assert answer(Asked(), endpoint["path"])[0] == 200
    alerts = (ROOT / "deploy" / "prometheus" / "alerts.yml").read_text("utf-8")
    assert f'job="{endpoint["relabelings"][0]["replacement"]}"' in alerts


def test_a_digest_wins_over_a_tag():
    """A pinned image is named by its digest alone."""
    (container,) = OBJECTS["everything"]["Deployment"]["spec"]["template"]["spec"]["containers"]
    assert container["image"].startswith("registry.example/clinical-deid-adapter@sha256:")


@pytest.mark.parametrize(("transport", "name"), [("mllp", "mllp"), ("http", "https")])
def test_a_listener_is_one_process_that_its_senders_reach(transport, name, tmp_path, monkeypatch):
    """Service, port and settings are one; its outcomes go to topics, since a pod has no disk."""
    objects = OBJECTS[transport]
    deployment = objects["Deployment"]["spec"]
    (container,) = deployment["template"]["spec"]["containers"]
    for variable in container["env"]:
        monkeypatch.setenv(variable["name"], variable.get("value", "2"))
    (tmp_path / "adapter.toml").write_text(objects["ConfigMap"]["data"]["adapter.toml"], "utf-8")
    settings = load_settings(tmp_path / "adapter.toml")
    listener = getattr(settings, transport)
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    assert (listener.host, listener.port) == ("0.0.0.0", ports[name])
    assert (listener.output, deployment["replicas"]) == ("kafka", 1)
    (port,) = objects["Service"]["spec"]["ports"]
    assert (port["port"], port["targetPort"]) == (listener.port, name)
    (rule,) = (
        rule
        for rule in objects["NetworkPolicy"]["spec"]["ingress"]
        if rule["ports"][0]["port"] == listener.port
    )
    assert rule["from"]


def test_a_listener_beyond_the_cluster_sees_its_senders_addresses():
    """The NetworkPolicy goes by them; a Service within the cluster has no such setting."""
    assert OBJECTS["mllp"]["Service"]["spec"]["externalTrafficPolicy"] == "Local"
    assert "externalTrafficPolicy" not in OBJECTS["http"]["Service"]["spec"]
