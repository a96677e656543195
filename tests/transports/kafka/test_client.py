"""Arguments of the Kafka client."""

from __future__ import annotations

import pytest

from adapter.config.kafka import Security
from adapter.errors import RuleError
from adapter.transports.kafka.client import ssl_context


@pytest.mark.parametrize("content", [None, "no certificate"])
@pytest.mark.parametrize("setting", ["cafile", "certfile"])
def test_a_file_that_cannot_be_used_is_named_with_its_setting(tmp_path, setting, content):
    """Whether it is missing or has something else in it."""
    file = tmp_path / "x.pem"
    if content is not None:
        file.write_text(content)
    given = {setting: file} | ({"keyfile": file} if setting == "certfile" else {})
    with pytest.raises(RuleError) as refused:
        ssl_context(Security(protocol="SSL", **given))
    assert f"kafka.security.{setting}" == refused.value.place
    assert refused.value.problem.startswith(str(file))
