"""Invented Spanish notes, annotated."""

from __future__ import annotations

import re

from adapter.evaluate.annotations import Annotated, Mention

NAMES = ("Ana", "Bruno", "Carla", "Dieter", "Elena", "Femi", "Gustavo", "Hilda")


def notes(kind, *, again=False):
    """Yield notes with a name of a type and an age behind cues; with the name in prose again."""
    for number in range(24):
        name, age = NAMES[number % len(NAMES)], str(number + 20)
        prose = f"Sin fiebre ni tos, {name} come bien." if again else "Sin fiebre ni tos."
        text = f"Nombre: {name}.\nEdad: {age}.\n{prose}"
        mentions = [
            Mention(found.start(), found.end(), kind if found[0] == name else "AGE")
            for found in re.finditer(f"{name}|{age}", text)
        ]
        yield Annotated(f"t{number}", text, "es", tuple(mentions))
