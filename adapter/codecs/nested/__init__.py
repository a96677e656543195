"""Finds encoded and structured bodies inside texts, opens them, and writes them back.

Input: a decoded message, and which of its texts are scanned. Output: the same message with each
body (base64, hex, percent-encoding, quoted-printable, HTML, RTF, XML, JSON, MIME, HL7 v2) taken out
of its text: a readable body becomes segments of its own, any other body one closed segment, which
the policy for unreadable content drops or holds. Add a new encoding to ``encoded`` (bytes) or
``escaped`` (characters), a new structure to ``structured``.
"""

from adapter.codecs.nested.messages import folded, unfolded

__all__ = ["folded", "unfolded"]
