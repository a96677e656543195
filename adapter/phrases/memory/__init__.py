"""Patient memory: facts from messages, a memory that stores them, and recalled entries.

`patient_facts` returns the facts of a message, `Memory` stores them and finds entries by a
patient's numbers, `recollect` returns the entries of a message's patients. Entries leave the core
packed as bytes.
"""

from __future__ import annotations

from adapter.phrases.memory.entries import NOTHING_RECALLED, Entry, Recollection, names_with, unpack
from adapter.phrases.memory.facts import erasing, patient_facts, recollect
from adapter.phrases.memory.memory import Memory

__all__ = [
    "NOTHING_RECALLED",
    "Entry",
    "Memory",
    "Recollection",
    "erasing",
    "names_with",
    "patient_facts",
    "recollect",
    "unpack",
]
