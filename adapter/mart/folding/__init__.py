"""What the mart holds now: versions of one resource become the current one, numbers become persons.

In: versions in the order of their positions, and what messages say of numbers. Out: `Current` and
persons. Nothing here depends on the order in which versions were loaded, or how often.
"""

from __future__ import annotations

from adapter.mart.folding.moves import Moves
from adapter.mart.folding.partings import Said, together
from adapter.mart.folding.persons import persons_of
from adapter.mart.folding.resources import Current, fold

__all__ = ["Current", "Moves", "Said", "fold", "persons_of", "together"]
