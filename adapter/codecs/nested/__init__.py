"""Bodies inside texts: found, opened or closed, and written back in their own encoding.

In: a decoded message and which of its texts are read or kept. Out: the same message with each
encoded or structured body (base64, hex, percent-encoding, quoted-printable, HTML, RTF, XML, JSON,
MIME, HL7 v2) taken out of its text: what can be read as segments of its own, all else as one closed
segment that the policy for unreadable content drops or holds. A new encoding goes to ``encoded``
(bytes) or ``escaped`` (characters), a new structure to ``structured``.
"""

from adapter.codecs.nested.messages import folded, unfolded

__all__ = ["folded", "unfolded"]
