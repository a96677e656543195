"""Memory of patients and staff: facts from messages, their storage, and recalled entries.

`patient_facts` and `staff_facts` return the facts of a message, `Memory` stores them and finds
entries by numbers, `recollect` returns what it knows for a message. Entries leave the core packed
as bytes.
"""

from __future__ import annotations

from adapter.phrases.memory.entries import (
    NOTHING_RECALLED,
    Entry,
    Facts,
    Recollection,
    StaffFacts,
    erases,
    names_with,
    unpack,
)
from adapter.phrases.memory.facts import erasing, hidden, patient_facts, recollect
from adapter.phrases.memory.index import Index
from adapter.phrases.memory.memory import Memory
from adapter.phrases.memory.staff_facts import erasing_staff, staff_facts

__all__ = [
    "NOTHING_RECALLED",
    "Entry",
    "Facts",
    "Index",
    "Memory",
    "Recollection",
    "StaffFacts",
    "erases",
    "erasing",
    "erasing_staff",
    "hidden",
    "names_with",
    "patient_facts",
    "recollect",
    "staff_facts",
    "unpack",
]
