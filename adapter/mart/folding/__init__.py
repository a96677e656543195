"""Computes the current state of the mart: resources from versions, persons from number keys.

In: versions in the order of their positions, and statements on number keys. Out: `Current` and
persons. The result does not depend on the order, or the number of times, versions were loaded.
"""

from __future__ import annotations

from adapter.mart.folding.moves import Moves
from adapter.mart.folding.partings import IdentityStatement, together
from adapter.mart.folding.persons import persons_of
from adapter.mart.folding.resources import Current, fold

__all__ = ["Current", "IdentityStatement", "Moves", "fold", "persons_of", "together"]
