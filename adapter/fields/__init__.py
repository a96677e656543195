"""Field policy: which places of a message pass, are replaced, scanned, shifted or dropped."""

from adapter.fields.policy import FieldPolicy, compile_policy
from adapter.fields.profile import Profile, compile_profile
from adapter.fields.sources import Rules
from adapter.fields.vocabulary import Vocabulary

__all__ = [
    "FieldPolicy",
    "Profile",
    "Rules",
    "Vocabulary",
    "compile_policy",
    "compile_profile",
]
