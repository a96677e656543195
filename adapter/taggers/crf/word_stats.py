"""Word statistics of a language in general: the Brown cluster and the commonness of words.

``models/<language>/words.txt``, one line for each cluster and band::

    1010110<TAB>9<TAB>Smith Jones Miller

Columns: the bits of the cluster's path in the tree, first branch first; the band of commonness,
0 (rarest) to 15, one band per halving of the probability; the forms, with their case.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

RAREST = -1
"""Band of forms that are not in the statistics."""


@dataclass(frozen=True, slots=True)
class WordStats:
    """Form -> bits of its cluster, and form -> band of its commonness."""

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
        """Return the bits of the cluster of a form, or of its lower case; "" if neither has one."""
        return self.clusters.get(form) or self.clusters.get(form.lower(), "")

    def band(self, form: str) -> int:
        """Return the band of a form's commonness; `RAREST` for unknown forms."""
        return self.bands.get(form, RAREST)
