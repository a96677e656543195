"""lowBoundary() and highBoundary(): the lowest and highest possible value of an imprecise one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.mart.views import sql
from adapter.mart.views.values import Kind, Scope, Value, as_text, is_number

if TYPE_CHECKING:
    from collections.abc import Callable

EARLIEST_ZONE, LATEST_ZONE = "+14:00", "-12:00"
ZONE = r"(Z|[+-]\d\d:\d\d)$"


def low(scope: Scope, value: Value) -> Value:
    """Return the lowest possible value."""
    return _boundary(scope, value, high=False)


def high(scope: Scope, value: Value) -> Value:
    """Return the highest possible value."""
    return _boundary(scope, value, high=True)


def _boundary(scope: Scope, value: Value, *, high: bool) -> Value:
    text = as_text(scope, value)
    if is_number(value):
        return Value(sql.let(scope.names, text, _decimal(high=high)), Kind.DECIMAL, "decimal")
    forms = {"date": _date, "time": _time}
    form = forms.get(value.fhir or "", _instant)
    return Value(sql.let(scope.names, text, form(high=high)), Kind.TEXT, value.fhir)


def _decimal(*, high: bool) -> Callable[[str], str]:
    sign = "+" if high else "-"

    def form(text: str) -> str:
        places = f"len(regexp_extract({text}, '\\.(\\d+)', 1))"
        half = f"0.5 * power(10.0, -{places})"
        return f"round(TRY_CAST({text} AS DOUBLE) {sign} {half}, CAST({places} + 1 AS INTEGER))"

    return form


def _date(*, high: bool) -> Callable[[str], str]:
    def form(text: str) -> str:
        month = f"CAST(last_day(TRY_CAST({text} || '-01' AS DATE)) AS VARCHAR)"
        rests = ("'-12-31'", month) if high else ("'-01-01'", f"{text} || '-01'")
        return (
            f"CASE len({text}) WHEN 4 THEN {text} || {rests[0]}"
            f" WHEN 7 THEN {rests[1]} ELSE {text} END"
        )

    return form


def _time(*, high: bool) -> Callable[[str], str]:
    full = "23:59:59.999" if high else "00:00:00.000"
    return lambda text: f"({text} || substr('{full}', len({text}) + 1))"


def _instant(*, high: bool) -> Callable[[str], str]:
    zone = LATEST_ZONE if high else EARLIEST_ZONE
    date, time = _date(high=high), _time(high=high)

    def form(text: str) -> str:
        day = date(f"split_part({text}, 'T', 1)")
        clock = time(f"regexp_replace(split_part({text}, 'T', 2), '{ZONE}', '')")
        known = f"nullif(regexp_extract(split_part({text}, 'T', 2), '{ZONE}'), '')"
        return f"({day} || 'T' || {clock} || coalesce({known}, '{zone}'))"

    return form
