"""What an exception may say in a log: its type and its name elsewhere, never its text."""

from __future__ import annotations

import errno
import socket
import ssl

import pytest
from aiokafka import errors

from adapter.telemetry.error_names import concerning, named

CANARY = "Quillfeather"


def expired():
    """A certificate's expiry as OpenSSL reports it."""
    error = ssl.SSLCertVerificationError(1, CANARY)
    error.verify_code, error.reason = 10, "CERTIFICATE_VERIFY_FAILED"
    return error


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (errors.SaslAuthenticationFailed(CANARY), "SASL_AUTHENTICATION_FAILED"),
        (errors.TopicAuthorizationFailedError(CANARY), "TOPIC_AUTHORIZATION_FAILED"),
        (errors.KafkaConnectionError(CANARY), None),
        (ConnectionRefusedError(errno.ECONNREFUSED, CANARY), "ECONNREFUSED"),
        (socket.gaierror(socket.EAI_NONAME, CANARY), "EAI_NONAME"),
        (OSError("Multiple exceptions: [Errno 111] x, [Errno 111] y"), "ECONNREFUSED"),
        (expired(), "CERT_HAS_EXPIRED"),
        (ssl.SSLError(1, CANARY), None),
        (ValueError(CANARY), None),
    ],
)
def test_a_kind_has_its_type_and_its_name(error, reason):
    """Kafka's codes, POSIX, getaddrinfo and OpenSSL name what they know; text is left out."""
    expected = {"error": type(error).__name__} | ({"reason": reason} if reason else {})
    assert expected == named(error)


def test_a_name_of_an_instance_is_not_believed():
    """Text put upon an exception is no name of its kind."""
    error = errors.KafkaError(CANARY)
    error.errno, error.message = 1, "QUILLFEATHER"
    assert {"error": "KafkaError"} == named(error)


def test_the_innermost_setting_is_named_and_no_other_note():
    """Notes that are not names of settings are left out, like the exception's text."""
    error = OSError(errno.ENOSPC, CANARY)
    error.add_note(CANARY)
    outer, inner = concerning("files.output"), concerning("files.audit")
    with pytest.raises(OSError, match=CANARY) as raised, outer, inner:
        raise error
    found = named(raised.value)
    assert {"error": "OSError", "reason": "ENOSPC", "setting": "files.audit"} == found
