"""Labels of published corpora -> our labels."""

from __future__ import annotations

from adapter.evaluate.annotations import CATEGORY_OF

MEDDOCAN: dict[str, str] = {
    "NOMBRE_SUJETO_ASISTENCIA": "PATIENT",
    "NOMBRE_PERSONAL_SANITARIO": "DOCTOR",
    "EDAD_SUJETO_ASISTENCIA": "AGE",
    "FECHAS": "DATE",
    "CALLE": "STREET",
    "TERRITORIO": "LOCATION",
    "PAIS": "COUNTRY",
    "HOSPITAL": "HOSPITAL",
    "CENTRO_SALUD": "HOSPITAL",
    "INSTITUCION": "ORGANIZATION",
    "NUMERO_TELEFONO": "PHONE",
    "NUMERO_FAX": "FAX",
    "CORREO_ELECTRONICO": "EMAIL",
    "URL_WEB": "URL",
    "DIREC_PROT_INTERNET": "IPADDR",
    "ID_SUJETO_ASISTENCIA": "MEDICALRECORD",
    "ID_ASEGURAMIENTO": "HEALTHPLAN",
    "ID_CONTACTO_ASISTENCIAL": "IDNUM",
    "ID_EMPLEO_PERSONAL_SANITARIO": "IDNUM",
    "ID_TITULACION_PERSONAL_SANITARIO": "LICENSE",
    "NUMERO_BENEF_PLAN_SALUD": "HEALTHPLAN",
    "NUMERO_IDENTIF": "IDNUM",
    "IDENTIF_DISPOSITIVOS_NRSERIE": "DEVICE",
    "IDENTIF_VEHICULOS_NRSERIE_PLACAS": "VEHICLE",
    "IDENTIF_BIOMETRICOS": "BIOID",
    "PROFESION": "PROFESSION",
    "OTROS_SUJETO_ASISTENCIA": "OTHER",
    "OTRO_NUMERO_IDENTIF": "IDNUM",
}
"""Source: MEDDOCAN annotation guidelines, 29 entity types; sex and kin are extra mentions."""

OTHERS: dict[str, str] = {
    "LOCATION_OTHER": "LOCATION-OTHER",
    "PATIENT_NAME": "PATIENT",
    "NAME_PATIENT": "PATIENT",
    "NAME_RELATIVE": "PATIENT",
    "NAME_DOCTOR": "DOCTOR",
    "NAME_USERNAME": "USERNAME",
    "PER": "NAME",
    "PERSON": "NAME",
    "LOC": "LOCATION",
    "ORG": "ORGANIZATION",
    "PROFESION_PACIENTE": "PROFESSION",
    "EMAIL_ADDRESS": "EMAIL",
    "TELEPHONE": "PHONE",
}
"""Names in common use: i2b2, CoNLL, GraSCCo."""

_POSTCODE_DIGITS = 5


def label_of(source: str, text: str, category: str = "") -> str | None:
    """Return our label for a source's label of ``text``, or None if the scheme has none.

    ``category`` is the source's main category, which distinguishes the OTHER of a location.
    """
    name = source.upper()
    if name == "OTHER" and category.upper() == "LOCATION":
        return "LOCATION-OTHER"
    if name == "TERRITORIO" and text.isdigit() and len(text) == _POSTCODE_DIGITS:
        return "ZIP"
    return MEDDOCAN.get(name) or OTHERS.get(name) or (name if name in CATEGORY_OF else None)
