"""The forms in which people and numbers of synthetic texts are written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.train.augment.names import misspelt

if TYPE_CHECKING:
    from random import Random

_LAYOUTS = {
    "mrn": "MEDICALRECORD ######## ####### ###### ##-##-## @####### @@-###### ###-##-### ####-####"
    " @@##-#### #####-# @@@######",
    "acct": "ACCOUNT ######### ########## @########## ##-####### ########-#",
    "plan": "HEALTHPLAN @@@######### #########@ @######## #@@#-@@#-@@## ###-##-####-@"
    " @@@-#######-## ##########",
    "idnum": "IDNUM @##-##### @@-##-#### ######## @####_##_###### @@####### ##### ##-######"
    " @@##-#### ####-##### @-##### ##########",
    "device": "DEVICE @@@######@ @@-###### ####### @@##-#### @@@-##### #@@#####",
    "license": "LICENSE ########## @@####### @###### @_###_###_###_### ######",
    "ssn": "SSN ###-##-#### ###-##-#### ######### ###_##_####",
    "ssn4": "SSN ####",
    "vehicle": "VEHICLE @@@-#### @@@_### #@@@### @@-#####",
    "bioid": "BIOID @@-##### @@-######-@",
    "docid": "IDNUM ##### @#### ##########",
    "zip": "ZIP ##### ##### ##### #####-####",
    "phone": "PHONE ###-###-#### (###)_###-#### ###.###.#### ###_###_#### ###-#### ##########"
    " 1-###-###-#### (###)###-#### ###-555-01## 555-01##",
    "fax": "FAX ###-###-#### (###)_###-#### ###.###.#### ###_###_#### ###-555-01##",
    "ext": "PHONE #### ##### ####",
    "xext": "PHONE x#### x##### X####",
    "ip": "IPADDR 10.##.#.1## 192.168.#.## 1##.##.##.##",
}
FACTS = {
    slot: (kind, tuple(layout.replace("_", " ") for layout in layouts))
    for slot, (kind, *layouts) in ((slot, line.split()) for slot, line in _LAYOUTS.items())
}
"""Slot -> type and layouts of a number."""

USUAL = {
    "patient": ("full", "full", "last", "rev", "init"),
    "kin": ("first", "first", "full"),
    "kin2": ("first",),
    "doctor": ("last", "last", "full", "init"),
    "doctor2": ("last", "full"),
    "staff": ("first", "init", "last"),
    "staff2": ("first", "init"),
}
"""Person of a synthetic text -> the usual forms, for slots that give none."""
_VARIANTS = {
    "rev": ("rev", "rev", "rev", "tight", "rev.m", "rev.i"),
    "init": ("init", "init.", "last.i"),
}


def written(given: str, family: str, form: str, rng: Random) -> str:
    """Return a name in a form: "full", "first", "last", "rev" ("Smith, John"), "ini" ("JS") ..."""
    form = rng.choice(_VARIANTS.get(form, (form,)))
    if form == "typo":
        return f"{misspelt(family, rng)}, {given}"
    if form == "rev.m":
        return f"{family}, {given} {rng.choice('ABCDEJLMRST')}."
    return {
        "full": f"{given} {family}",
        "first": given,
        "last": family,
        "init": f"{given[0]} {family}",
        "init.": f"{given[0]}. {family}",
        "last.i": f"{family} {given[0]}",
        "ini": f"{given[0]}{family[0]}".upper(),
        "fi": f"{given} {family[0]}.",
        "mini": f"{family[0].upper()}.",
        "rev": f"{family}, {given}",
        "tight": f"{family},{given}",
        "rev.i": f"{family}, {given[0]}.",
        "caret": f"{family}^{given}".upper(),
    }[form]
