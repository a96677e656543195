"""Character sets of HL7 v2 messages, declared in MSH-18 (HL7 table 0211)."""

from __future__ import annotations

import re

from adapter.errors import DecodeError

TABLE_0211: dict[str, str] = {
    "ASCII": "ascii",
    "US-ASCII": "ascii",
    "ISO IR6": "ascii",
    "UNICODE": "utf-8",
    "UNICODE UTF-8": "utf-8",
    "UTF-8": "utf-8",
    "UTF8": "utf-8",
    "LATIN1": "iso-8859-1",
    "GB 18030-2000": "gb18030",
    "GB18030": "gb18030",
    "GBK": "gbk",
    "BIG-5": "big5",
    "BIG5": "big5",
    "KS X 1001": "euc_kr",
    "EUC-KR": "euc_kr",
    "EUC-JP": "euc_jp",
    "SHIFT_JIS": "shift_jis",
    "SHIFT-JIS": "shift_jis",
    "ISO IR14": "iso2022_jp_ext",
    "ISO IR87": "iso2022_jp_ext",
    "ISO IR159": "iso2022_jp_ext",
}
"""MSH-18 in capitals -> Python codec.

MSH can be read as single bytes, so "UNICODE" must mean UTF-8, and UTF-16 or UTF-32 is a mistake.
"""

_PARTS = re.compile(r"(?:ISO[- ]?)?8859[-/](\d{1,2})|(?:WINDOWS|CP)-?(125[0-8])")
_SINGLE = re.compile(r"iso-8859-(?!11)\d{1,2}|cp125\d")
"""Codecs of single bytes; in Thai (part 11), letters may look like UTF-8."""
_SWITCHING = frozenset({"ISO IR14", "ISO IR87", "ISO IR159"})
_HEADER = re.compile(rb"MSH([^A-Za-z0-9\s])([^\r\n]*)")
_CHARSET_FIELD = 16  # MSH-18 counted from the fields after MSH-1


def declared_charset(raw: bytes) -> list[str]:
    """Return the repetitions of MSH-18 as sent, in capitals; empty if there are none."""
    header = _HEADER.search(raw)
    if header is None:
        return []
    separator, rest = header.groups()
    fields = rest.split(separator, _CHARSET_FIELD + 1)
    if len(fields) <= _CHARSET_FIELD or not fields[_CHARSET_FIELD]:
        return []
    repetition = fields[0][1:2] or b"~"
    names = fields[_CHARSET_FIELD].decode("latin-1").upper().split(repetition.decode("latin-1"))
    return [name.strip() for name in names]


def codec_of(names: list[str]) -> str:
    """Return the Python codec for the repetitions of MSH-18; the first names the bytes' charset.

    A Japanese sender leaves the first one empty and switches by ISO 2022 escape sequences.

    Raises:
        DecodeError: "charset-unknown".
    """
    if _SWITCHING.intersection(names):
        return "iso2022_jp_ext"
    known = TABLE_0211.get(names[0] or "ASCII") or _by_part(names[0])
    if known is None:
        raise DecodeError("charset-unknown")
    return known


def is_charset(name: str) -> bool:
    """Whether a repetition of MSH-18 names a character set of table 0211, in any case."""
    return name.upper() in TABLE_0211 or _by_part(name.upper()) is not None


def _by_part(name: str) -> str | None:
    match = _PARTS.fullmatch(name)
    if match is None:
        return None
    part, page = match.groups()
    if page:
        return f"cp{page}"
    return f"iso-8859-{part}" if 1 <= int(part) <= 16 and part != "12" else None  # noqa: PLR2004


def decode_text(raw: bytes, default: str) -> tuple[str, str]:
    """Return the message's text and the Python codec that wrote it.

    That is the declared charset, except that bytes which are valid UTF-8 are UTF-8 whatever
    single-byte charset is declared: no ordinary text in one is both. If none is declared, the bytes
    are UTF-8, or else ``default``.

    Raises:
        DecodeError: "charset-unknown", "charset-invalid" or "charset-not-reversible".
    """
    names = declared_charset(raw)
    charset = codec_of(names) if names else "utf-8"
    if _SINGLE.fullmatch(charset) and not raw.isascii() and _decoded(raw, "utf-8") is not None:
        charset = "utf-8"
    text = _decoded(raw, charset)
    if text is None and not names:
        charset = default
        text = _decoded(raw, charset)
    if text is None:
        raise DecodeError("charset-invalid")
    if encode_text(text, charset) != raw:
        raise DecodeError("charset-not-reversible")
    return text, charset


def _decoded(raw: bytes, charset: str) -> str | None:
    try:
        return raw.decode(charset)
    except UnicodeError:
        return None


def encode_text(text: str, charset: str) -> bytes | None:
    """Return the text's bytes, or None if the character set lacks one of its characters."""
    try:
        return text.encode(charset)
    except UnicodeError:
        return None
