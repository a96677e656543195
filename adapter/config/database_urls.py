"""Selects stores by the scheme of their URL, and resolves the paths of file URLs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from adapter.errors import RuleError

if TYPE_CHECKING:
    from collections.abc import Mapping

Make = TypeVar("Make")
_FILE = ":///"


@dataclass(frozen=True, slots=True)
class Kind(Generic[Make]):
    """A kind of store: the form of its URL, and the function that makes the store.

    If ``a_file``, the URL is "scheme:///" and a path, which may be relative to the settings.
    """

    form: str
    make: Make
    a_file: bool = False


@dataclass(frozen=True, slots=True)
class Registry(Generic[Make]):
    """Kinds of stores by scheme; ``place`` is the setting that has the URL."""

    place: str
    kinds: Mapping[str, Kind[Make]]

    def kind(self, url: str) -> Kind[Make]:
        """Return the kind of store of a URL.

        Raises:
            RuleError: no kind has such a URL, which is not quoted, as it can contain a password.
        """
        scheme, slashes, _ = url.partition("://")
        kind = self.kinds.get(scheme)
        if kind is None or not slashes or (kind.a_file and not url.partition(_FILE)[2]):
            forms = dict.fromkeys(kind.form for kind in self.kinds.values())
            raise RuleError(self.place, f"must be {' or '.join(forms)}")
        return kind

    def located(self, url: str, folder: Path) -> str:
        """Return the URL with a relative file path resolved in a folder.

        Raises:
            RuleError: no kind has such a URL.
        """
        if not self.kind(url).a_file:
            return url
        scheme, _, path = url.partition(_FILE)
        return f"{scheme}{_FILE}{folder / path}"


def file_of(url: str) -> Path:
    """Return the path in a file URL."""
    return Path(url.partition(_FILE)[2])
