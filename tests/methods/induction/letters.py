"""Invented Spanish letters with people, towns and hospitals in known contexts."""

from __future__ import annotations

from itertools import product

from adapter.methods.induction.seeds import Seeds

GIVEN = ("Ainhoa", "Bruno", "Carlota", "Dámaso", "Eulalia", "Fermín", "Gala", "Hilario")
FAMILY = ("Zubiri", "Quiroga", "Ybarra", "Xirau", "Villalta")
TOWNS = (
    "Arbeteta", "Brozas", "Cebreros", "Dueñas", "Escalona", "Frómista", "Garray", "Hervás",
    "Iruecha", "Jaraíz", "Lerma", "Mombeltrán",
)  # fmt: skip
HOSPITALS = tuple(f"Hospital Comarcal de {town}" for town in TOWNS[:10])
NAMES = tuple(f"{given} {family}" for given, family in product(GIVEN, FAMILY))
ACRONYM = "HCA"
SEEDS = Seeds(
    {
        "city": TOWNS[:8],
        "facility": HOSPITALS[:7],
        "person": NAMES[:9],
    }
)


def letters(count: int = 120) -> list[str]:
    """So many letters; every town, hospital and name comes up in turn."""
    return [letter(number) for number in range(count)]


def letter(number: int) -> str:
    """One letter."""
    name, town = NAMES[number % len(NAMES)], TOWNS[number % len(TOWNS)]
    hospital = HOSPITALS[number % len(HOSPITALS)]
    known = f"{hospital} ({ACRONYM})" if hospital == HOSPITALS[0] else hospital
    return (
        f"Paciente: {name}.\nLocalidad: {town}.\n"
        "Informe clínico: refiere dolor y fiebre. Acude al hospital comarcal de su zona.\n"
        f"El paciente vive en {town} y fue visto en el {known}, servicio de urgencias.\n"
        "Localidad: Desconocida.\n"
        "Sin cambios. Desconocida la causa de la fiebre y desconocida la del dolor.\n"
    )
