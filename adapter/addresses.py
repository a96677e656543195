"""Stores by the scheme of their address: how each writes its own, and what makes one of it."""

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
    """How a kind of store's address is written, and what makes one.

    The address of ``a_file`` is "scheme:///" and a path, which may be relative to the settings.
    """

    form: str
    make: Make
    a_file: bool = False


@dataclass(frozen=True, slots=True)
class Registry(Generic[Make]):
    """Kinds of stores by scheme; ``place`` is the setting that addresses stand in."""

    place: str
    kinds: Mapping[str, Kind[Make]]

    def kind(self, url: str) -> Kind[Make]:
        """The kind that an address is of.

        Raises:
            RuleError: it is none's; the address, which may have a password, is not quoted.
        """
        scheme, slashes, _ = url.partition("://")
        kind = self.kinds.get(scheme)
        if kind is None or not slashes or (kind.a_file and not url.partition(_FILE)[2]):
            forms = dict.fromkeys(kind.form for kind in self.kinds.values())
            raise RuleError(self.place, f"is neither {' nor '.join(forms)}")
        return kind

    def located(self, url: str, folder: Path) -> str:
        """The address with a relative file put into a folder.

        Raises:
            RuleError: it is none's.
        """
        if not self.kind(url).a_file:
            return url
        scheme, _, path = url.partition(_FILE)
        return f"{scheme}{_FILE}{folder / path}"


def file_of(url: str) -> Path:
    """The file of an address that is one's."""
    return Path(url.partition(_FILE)[2])
