"""What earlier messages taught about patients: facts that teach, a memory that keeps and recalls.

`patient_facts` are what a message teaches, `Memory` takes them in and finds entries by a patient's
numbers, `recollect` says what is known of a message's patients. An entry leaves the core packed.
"""

from __future__ import annotations

from adapter.phrases.memory.entries import STRANGERS, Entry, Recollection, unpack
from adapter.phrases.memory.facts import erasing, patient_facts, recollect
from adapter.phrases.memory.memory import Memory

__all__ = [
    "STRANGERS",
    "Entry",
    "Memory",
    "Recollection",
    "erasing",
    "patient_facts",
    "recollect",
    "unpack",
]
