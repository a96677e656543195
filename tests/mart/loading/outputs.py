"""Folders as `deid-adapter file` writes them, with their manifest."""

from __future__ import annotations

import hashlib
import json

MERGE = {"prior": "MRN9", "number": "MRN1", "days": 4}


def oru(number, patient, value):
    """An ORU^R01 of one result."""
    return "\r".join(
        (
            f"MSH|^~\\&|LAB|H1|EHR|H2|20240102||ORU^R01^ORU_R01|C{number}|P|2.5",
            f"PID|1||MRN{patient}^^^H1^MR||OKAFOR^ADA||19600102|F",
            f"OBR|1|O{number}|F{number}|24356-8^Urinalysis^LN|||20240102",
            f"OBX|1|NM|2345-7^Glucose^LN||{value}|mg/dL|||||F",
            "",
        )
    )


def patient(number):
    """A FHIR Patient."""
    return json.dumps(
        {
            "resourceType": "Patient",
            "id": f"p{number}",
            "identifier": [{"value": f"MRN{number}"}],
            "birthDate": "1960-01-02",
        }
    )


def write(folder, files, merges=()):
    """Files, name -> messages one behind the other, and their manifest; its lines."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = []
    for name, messages in sorted(files.items()):
        raw = "".join(messages).encode()
        (folder / name).write_bytes(raw)
        for index, message in enumerate(messages):
            own = hashlib.blake2b(f"{name}{index}{message}".encode(), digest_size=16).hexdigest()
            told = {
                "file": name,
                "index": index,
                "deid-id": own,
                "deid-ruleset": "r",
                "deid-key": "k",
            }
            lines.append(told | ({"deid-merges": list(merges)} if merges else {}))
        sums = {"released": len(messages), "held": 1, "sha256": hashlib.sha256(raw).hexdigest()}
        lines.append({"file": name, **sums})
    save(folder, lines)
    return lines


def save(folder, lines):
    """The manifest of these lines, and its last one."""
    text = "".join(json.dumps(line) + "\n" for line in lines)
    total = {"total": {"files": 1, "sha256": hashlib.sha256(text.encode()).hexdigest()}}
    (folder / "manifest.jsonl").write_text(text + json.dumps(total) + "\n")
