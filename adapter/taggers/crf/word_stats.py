"""Word statistics of a language at large: the Brown cluster of a word, and how common it is.

``models/<language>/words.txt``, one line for each cluster and band::

    1010110<TAB>9<TAB>Smith Jones Miller

Columns: bits of the cluster's path in the tree, first branch first; band of commonness, 0 (rarest)
to 15, one for each halving of the probability; the forms, their case kept.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

RAREST = -1
"""Band of forms that the statistics do not have."""


@dataclass(frozen=True, slots=True)
class WordStats:
    """Maps of each form to the bits of its cluster, and to the band of its commonness."""

    clusters: Mapping[str, str] = field(default_factory=dict, repr=False)
    bands: Mapping[str, int] = field(default_factory=dict, repr=False)

    @classmethod
    def parse(cls, text: str) -> WordStats:
        """Parse the text of a ``words.txt``."""
        clusters: dict[str, str] = {}
        bands: dict[str, int] = {}
        for line in text.splitlines():
            bits, band, forms = line.split("\t")
            for form in forms.split(" "):
                bands[form] = int(band)
                clusters[form] = bits
        return cls(clusters, bands)

    def cluster(self, form: str) -> str:
        """Return the bits of a form's cluster, or of its lower case where the form has none."""
        return self.clusters.get(form) or self.clusters.get(form.lower(), "")

    def band(self, form: str) -> int:
        """Return the band of a form's commonness; `RAREST` for unknown ones."""
        return self.bands.get(form, RAREST)
