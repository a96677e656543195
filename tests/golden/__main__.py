"""``make golden``: write the golden outcomes anew; review the diff."""

from __future__ import annotations

from tests.golden.cases import CASES, outcome

if __name__ == "__main__":
    for case in CASES:
        for name, content in outcome(case).items():
            (case / name).write_bytes(content)
        print(case.relative_to(case.parents[1]))
