"""``python -m tests.bench.growth [ROW...]``: how cost grows when one dimension of a message does.

For each dimension: processor seconds at n and at 8 n, and their ratio per unit, which is 1 where
cost is linear; peak memory of a process of its own, beside that of the same process at n. Aims:
ratio at most 1.5, and less than 100 MB for each further MB of free text.
"""

from __future__ import annotations

import gc
import json
import resource
import subprocess
import sys
import time
from typing import TYPE_CHECKING

from adapter.pipeline.process import process
from adapter.types import Position, Record
from tests.corpus.runs import ruleset

if TYPE_CHECKING:
    from collections.abc import Callable

FACTOR = 8
HEAD = "MSH|^~\\&|LAB|NORTH|EHR|SOUTH|20240314101500||ORU^R01|C1|P|2.5.1\r"
PID = "PID|1||90817263^^^NORTH^MR||Okonkwo^Thaddeus||19610704|M\r"
OBR = "OBR|1|||11506-3^Progress note^LN|||20240314101500\r"
GIVEN = "Ada Ben Cleo Dov Ema Finn Gus Hana Ivo Jude Kai Lena Milo Nora Otto".split()
FAMILY = "Abara Brandt Castell Duval Eriksen Fontana Grau Hollis Ibarra Jansen Keller".split()


def name(number: int) -> tuple[str, str]:
    """A family and a given name, another one for every number."""
    tail = "".join(chr(97 + int(digit)) for digit in str(number))
    return FAMILY[number % len(FAMILY)] + tail, GIVEN[number % len(GIVEN)]


def note(text: str) -> bytes:
    """A report with one text."""
    return f"{HEAD}{PID}{OBR}OBX|1|TX|11506-3^Note^LN||{text}||||||F\r".encode()


def prose(numbers: range) -> str:
    """Clinical sentences, all different."""
    return " ".join(
        f"On visit {n} the patient reported pain at level {n % 10}, and Dr. {name(n)[0]} was told."
        for n in numbers
    )


def bundle_patients(numbers: range) -> bytes:
    """A Bundle of as many patients."""
    people = [(str(n), *name(n)) for n in numbers]
    entries = [
        {
            "fullUrl": f"urn:uuid:00000000-0000-4000-8000-{int(n):012d}",
            "resource": {
                "resourceType": "Patient",
                "id": f"p{n}",
                "identifier": [{"value": f"{80000000 + int(n) * 7}"}],
                "name": [{"family": family, "given": [given]}],
                "birthDate": "1961-07-04",
            },
        }
        for n, family, given in people
    ]
    return json.dumps({"resourceType": "Bundle", "type": "collection", "entry": entries}).encode()


def pids(numbers: range) -> bytes:
    """A message with as many PID segments."""
    rows = "".join(
        f"PID|{n}||{80000000 + n * 7}^^^NORTH^MR||{'^'.join(name(n))}||19610704|M\rOBX|{n}|NM|"
        f"718-7^Hgb^LN||13.1|g/dL|||||F\r"
        for n in numbers
    )
    return (HEAD + rows).encode()


def doctors(numbers: range) -> bytes:
    """As many rows of one note, each with another doctor."""
    rows = "".join(
        f"OBX|{n}|TX|11506-3^Note^LN||Seen by Dr. {name(n)[1]} {name(n)[0]} today.||||||F\r"
        for n in numbers
    )
    return f"{HEAD}{PID}{OBR}{rows}".encode()


def notes(numbers: range) -> bytes:
    """As many notes of their own, each with another doctor."""
    rows = "".join(
        f"OBX|{n}|TX|{n}-3^Note {n}^L||Seen by Dr. {name(n)[1]} {name(n)[0]} today.||||||F\r"
        for n in numbers
    )
    return f"{HEAD}{PID}{OBR}{rows}".encode()


def repetitions(numbers: range) -> bytes:
    """A PID-3 and a PID-13 of as many repetitions."""
    charts = "~".join(f"{80000000 + n * 7}^^^NORTH^MR" for n in numbers)
    phones = "~".join(f"(555)555-{n % 10000:04d}" for n in numbers)
    return f"{HEAD}PID|1||{charts}||Okonkwo^Thaddeus||19610704|M|||||{phones}\r".encode()


def kin(numbers: range) -> bytes:
    """As many next of kin."""
    rows = "".join(f"NK1|{n}|{'^'.join(name(n))}|SPO\r" for n in numbers)
    return f"{HEAD}{PID}{rows}".encode()


def breaks(numbers: range) -> bytes:
    r"""A text whose ``\.br\`` part as many mentions."""
    return note("\\.br\\".join(f"Seen by Dr. {name(n)[0]}." for n in numbers))


def run_of(text: str) -> Callable[[range], bytes]:
    """A note of one text again and again, other digits behind it in every message."""
    return lambda numbers: note(f"{text * len(numbers)} {numbers.start}")


def beyond(numbers: range) -> bytes:
    """A composite with as many components as no version knows."""
    return note(f"text {numbers.start}").replace(b"11506-3", b"1^" * len(numbers))


def fields(numbers: range) -> bytes:
    """A PID with as many fields as no version knows."""
    return (HEAD + PID.rstrip() + f"|x{numbers.start}" * len(numbers)).encode()


def segments(numbers: range) -> bytes:
    """As many small segments that interrupt one another."""
    return (HEAD + PID + "".join(f"NTE|1||ok {n}\rZZZ|1\r" for n in numbers)).encode()


ROWS: dict[str, tuple[Callable[[range], bytes], int]] = {
    "prose, sentences": (lambda numbers: note(prose(numbers)), 60),
    "patients in a Bundle": (bundle_patients, 60),
    "PIDs in a message": (pids, 60),
    "rows, a doctor each": (doctors, 60),
    "notes, a doctor each": (notes, 60),
    "repetitions of PID-3 and 13": (repetitions, 60),
    "next of kin": (kin, 60),
    "\\.br\\ between mentions": (breaks, 60),
    "runs of -a": (run_of("-a"), 4000),
    "runs of a.": (run_of("a."), 4000),
    "runs of letters apart": (run_of("T H A D "), 1000),
    "runs of digits and slashes": (run_of("1/2/3-"), 1000),
    "one long word": (run_of("Okonkwo"), 1000),
    "one long number": (run_of("9081726"), 1000),
    "capitals": (run_of("THADDEUS SAW OKONKWO TODAY. "), 200),
    "markup": (run_of("<b>Tha</b>ddeus &amp; "), 200),
    "blank lines": (run_of("\\.br\\"), 1000),
    "components beyond": (beyond, 1000),
    "fields beyond": (fields, 1000),
    "small segments": (segments, 300),
}


def seconds(row: str, count: int, start: int) -> float:
    """Processor seconds of processing a message of that size, never seen before."""
    raw = ROWS[row][0](range(start, start + count))
    record = Record(raw, Position("growth", 0, start))
    gc.collect()
    began = time.process_time()
    process(record, ruleset())
    return time.process_time() - began


def growth(row: str, rounds: int = 3) -> tuple[float, float, float]:
    """(seconds at n, seconds at 8 n, their ratio per unit) of a dimension; of rounds the best.

    Both are measured in turn, so that what else the machine does slows them alike.
    """
    count = ROWS[row][1]
    starts = range(100_000, 100_000 * (rounds + 1), 100_000)
    pairs = [
        (seconds(row, count, start), seconds(row, count * FACTOR, start + 50_000))
        for start in starts
    ]
    small, large = map(min, zip(*pairs, strict=True))
    return small, large, large / (small * FACTOR)


def peak_megabytes(megabytes: float) -> float:
    """Peak memory of a process of its own that processes a note of that size."""
    code = (
        "import sys, resource\nfrom tests.bench.growth import measured\n"
        f"measured({megabytes})\nprint(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=3600
    )
    return float(done.stdout.split()[-1])


def measured(megabytes: float) -> float:
    """Seconds that a note of that size takes; 0 prepares the process only."""
    rules = ruleset()
    process(Record(note(prose(range(5))), Position("growth", 0, 0)), rules)
    start = time.process_time()
    if megabytes:
        raw = note(prose(range(int(megabytes * 1_000_000 / len(prose(range(100))) * 100))))
        process(Record(raw, Position("growth", 0, 1)), rules)
    return time.process_time() - start


def main(rows: list[str]) -> None:
    """Print a line for each dimension, and memory per MB of free text."""
    process(Record(note(prose(range(5))), Position("growth", 0, 0)), ruleset())
    for row in rows or list(ROWS):
        small, large, ratio = growth(row)
        print(f"{row:30} {small:8.3f} s {large:8.3f} s   {ratio:6.2f} x", flush=True)
    if not rows:
        least, most = peak_megabytes(0), peak_megabytes(1)
        print(f"memory per MB of free text: {most - least:,.0f} MB (process: {least:,.0f} MB)")
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"peak memory of this process: {used:,} MB")


if __name__ == "__main__":
    main(sys.argv[1:])
