"""Archives and outputs in S3, on a moto server."""

from __future__ import annotations

import gzip
import json

import pytest

from adapter.errors import RuleError
from adapter.replay.storage import Storage
from tests.replay import worlds
from tests.replay.worlds import manifest, records, run, settings

moto = pytest.importorskip("moto.server")
pytest.importorskip("s3fs")


@pytest.fixture(scope="module")
def endpoint():
    """Yield the URL of a moto server."""
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def bucket(endpoint, monkeypatch, tmp_path):
    """Return a bucket with an archive, and the options to reach it."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    options = {"endpoint_url": endpoint}
    name = tmp_path.name.replace("_", "-").lower()[:60]
    system = Storage.at(f"s3://{name}", options).system
    system.mkdir(name)
    worlds.confluent_avro(tmp_path / "archive", records(120))
    for path in (tmp_path / "archive").rglob("*.avro"):
        system.put(str(path), f"{name}/{path.relative_to(tmp_path).as_posix()}")
    return name, options


def s3(tmp_path, bucket, **source):
    """Return settings of a replay from the bucket to the bucket."""
    name, options = bucket
    layout = {"layout": "confluent", "format": "avro", **source}
    return settings(
        tmp_path,
        {"url": f"s3://{name}/archive/topics", "options": options, **layout},
        {"url": f"s3://{name}/out", "options": options},
    )


def test_an_archive_in_s3_gives_what_its_files_give(tmp_path, bucket):
    """The same objects in S3 and on disk give the same manifest and output."""
    run(s3(tmp_path, bucket))
    (tmp_path / "local").mkdir()
    (tmp_path / "archive").rename(tmp_path / "local" / "archive")
    local = {"layout": "confluent", "format": "avro"}
    url = str(tmp_path / "local" / "archive" / "topics")
    run(settings(tmp_path / "local", {**local, "url": url}))
    assert manifest(tmp_path / "local") == manifest(tmp_path)
    name, options = bucket
    output = Storage.at(f"s3://{name}/out", options)
    told = json.loads(output.read("manifest.json"))
    lines = gzip.decompress(output.read("part-00000.jsonl.gz")).splitlines()
    assert told["totals"]["released"] == len(lines)


def test_an_object_in_s3_that_is_cut_short(tmp_path, bucket):
    """A truncated object is reported, and no output is written."""
    name, options = bucket
    system = Storage.at(f"s3://{name}", options).system
    path = max(system.find(f"{name}/archive"))
    system.pipe(path, system.cat(path)[:-20])
    with pytest.raises(RuleError, match="damaged or truncated"):
        run(s3(tmp_path, bucket))
    assert [] == Storage.at(f"s3://{name}/out", options).objects()


def test_a_bucket_that_is_not_there(tmp_path, bucket):
    """A missing bucket is reported, not replayed as an empty archive."""
    with pytest.raises(RuleError, match="nosuch-bucket"):
        run(s3(tmp_path, bucket, url="s3://nosuch-bucket/x"))


def test_a_store_that_is_down(tmp_path, bucket):
    """A server that does not answer is reported without credentials."""
    options = {
        "endpoint_url": "http://127.0.0.1:9",
        "config_kwargs": {"connect_timeout": 1, "retries": {"max_attempts": 0}},
    }
    with pytest.raises(RuleError, match="archive/topics") as failed:
        run(s3(tmp_path, bucket, options=options))
    assert "testing" not in str(failed.value)
