"""The Helm chart: its manifests have not drifted, and it refuses values that cannot work."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.deploy.yaml_files import documents

ROOT = Path(__file__).resolve().parents[2]
CHART = ROOT / "deploy" / "helm" / "clinical-deid-adapter"
RENDER = ROOT / "deploy" / "kubernetes" / "render"
VALUES = {
    name: ("-f", str(CHART / "ci" / f"{name}.yaml")) for name in ("everything", "mllp", "http")
}
pytestmark = pytest.mark.skipif(
    not shutil.which("helm"), reason="needs helm: `make deploy-lint` says where it comes from"
)


def render(*options: str) -> subprocess.CompletedProcess[str]:
    """Render the chart as `make manifests` does."""
    return subprocess.run([RENDER, *options], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("file", "options"),
    [
        ("deploy/kubernetes/deid-adapter.yaml", ()),
        *((f"tests/deploy/{name}.yaml", options) for name, options in VALUES.items()),
    ],
)
def test_the_manifests_are_what_the_chart_renders(file, options):
    """`make manifests` would change nothing."""
    assert render(*options).stdout == (ROOT / file).read_text("utf-8")


@pytest.mark.parametrize(
    ("option", "named"),
    [
        ("config=", "config"),
        ("image.digest=sha256:abc", "digest"),
        ("image.tga=1", "tga"),
        ("replicaCount=many", "replicaCount"),
        ("port=80", "port"),
        ("resources.requests.cpu=null", "cpu"),
        ("keys.secret=", "secret"),
        ("networkPolicy.kafka.ports=null", "ports"),
        ("env[0].name=DEID_ADAPTER__HEALTH__PORT,env[0].value=1", "env"),
        ("configFiles.secrets=x", "secrets"),
        ("drainSeconds=0", "drainSeconds"),
        ("mllp.enabled=true,replicaCount=2", "replicaCount"),
        ("mllp.enabled=true,replicaCount=1,autoscaling.enabled=true", "autoscaling"),
        ("http.enabled=true,replicaCount=2", "replicaCount"),
        ("http.enabled=true,replicaCount=1,autoscaling.enabled=true", "autoscaling"),
        ("http.enabled=true,mllp.enabled=true,replicaCount=1", "enabled"),
        ("http.enabled=true,replicaCount=1,http.port=443", "port"),
    ],
)
def test_values_that_cannot_work_are_refused(option, named):
    """Each is named before anything is installed."""
    command = ["helm", "template", "x", CHART, "--set", "config=a"]
    done = subprocess.run([*command, "--set", option], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert named in done.stderr


def test_other_settings_make_other_pods(tmp_path):
    """Settings are read at start, so pods must be replaced when they change."""

    def checksum(text: str) -> str:
        file = tmp_path / "adapter.toml"
        file.write_text(text, "utf-8")
        objects = documents(render("--set-file", f"config={file}").stdout)
        (found,) = [o for o in objects if o["kind"] == "Deployment"]
        annotations: dict[str, str] = found["spec"]["template"]["metadata"]["annotations"]
        return annotations["checksum/config"]

    assert checksum("transport = 'kafka'\n") != checksum("transport = 'files'\n")


def test_settings_of_any_text_arrive_as_they_are(tmp_path):
    """Braces, blank lines, quotes and indentation of the file change nothing."""
    text = "  # {{ .Values.x }}\n\n[kafka]\n  output = \"{topic}.deid\"\n  pattern = '^a: b$'\n"
    file = tmp_path / "adapter.toml"
    file.write_text(text, "utf-8")
    objects = documents(render("--set-file", f"config={file}").stdout)
    (found,) = [o for o in objects if o["kind"] == "ConfigMap"]
    assert found["data"]["adapter.toml"] == text


def test_the_check_is_a_pod_of_the_same_files_and_rights():
    """`helm test` sees what the service sees, and the service's selectors do not see it."""
    command = ["helm", "template", "x", CHART, "--set-string", "config=a", "--show-only"]
    shown = {}
    for file in ("templates/tests/check.yaml", "templates/deployment.yaml"):
        done = subprocess.run([*command, file], capture_output=True, text=True, check=True)
        (shown[file],) = documents(done.stdout)
    check, deployment = shown.values()
    pod = deployment["spec"]["template"]["spec"]
    assert check["spec"]["securityContext"] == pod["securityContext"]
    assert check["spec"]["volumes"] == pod["volumes"]
    assert check["spec"]["containers"][0]["volumeMounts"] == pod["containers"][0]["volumeMounts"]
    selector = deployment["spec"]["selector"]["matchLabels"]
    assert not selector.items() <= check["metadata"]["labels"].items()
