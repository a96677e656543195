"""Mentions of dates in the text of whole messages, by profile: what a reader may still learn."""

from __future__ import annotations

import re
from datetime import date, timedelta
from functools import cache

import pytest

from adapter.pipeline.process import process
from adapter.types import Position, Record, Release
from tests.corpus.runs import ruleset

MENTIONS = (
    "Christmas, December 25, 2023", "Easter Sunday 31 March 2024", "New Year's Day 1/1/24",
    "Thanksgiving Thursday 11/23/2023", "Ash Wednesday, February 14, 2024",
    "20240314T101500Z", "20240314-20240320", "3/14/24-1015", "2024_03_14", "14.III.2024",
    "3/14 thru 3/20/2024", "March 14 through 20, 2024", "3/14/2024 to 3/20/2024",
    "week 11 of 2024", "KW 11 2024", "2024-W11-4", "day 74 of 2024", "2024-074",
    "March the fourteenth, 2024", "the 14th of March", "March 14, 15, and 16", "3/14/2024@10:15",
    "3/14/202410:15:00", "2024-03-14T10:15:00-0400", "3/14/24 10:15 EST", "Tuesday at 10:15",
    "10:15 EDT on Tuesday", "spring 2024", "March 2024", "Q1 2024", "July 4th, 2024",
    "14MAR24 1015",
    "Thu Mar 14 2024 10:15:00 GMT-0400 (Eastern Daylight Time)", "dob: 03 14 1971",
    "epoch 1710412200", "note 031424", "03/14/\\.br\\2024", "Mar 14,2024", "Mar14", "Mar142024",
    "Mar.14.2024", "Mar_14_2024", "03 / 14 / 2024", "3/14/ 24", "03/14.2024",
)  # fmt: skip
TELLING = re.compile(
    r"(?i)\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)[a-z]*\b"
    r"|\b(?:christmas|easter|thanksgiving|new year|ash|spring|week|kw|day|e[sd]t)\b|[0-9]:[0-9]"
    r"|(?<![0-9])(?:[0-9]{1,3}|[0-9]{5,})(?![0-9])"
)
"""Months, weekdays, holidays, times of day, and numbers that are no year."""
TRUE = re.compile(
    r"3/14|3-14|03_14|0314|March 14|14 March|14\.III|(?<![0-9])0?74(?![0-9])|1710412200|-0400"
    r"|E[SD]T"
)
"""What no surrogate may show of 14 March 2024 under a shift of another length."""


@cache
def released(profile, text):
    """What stands for a note's text."""
    raw = (
        "MSH|^~\\&|A|B|C|D|20240601||ORU^R01|1|P|2.5.1\r"
        "PID|1||778123^^^LKH^MR||Quast^Knut||19610312|M\r"
        f"OBX|1|TX|1^Note||{text}||||||F\r"
    )
    outcome = process(Record(raw.encode(), Position("in", 0, 0)), ruleset(profile))
    assert isinstance(outcome, Release)
    return outcome.value.decode().split("\r")[2].split("|")[5]


def surrogate(profile, mention):
    """What stands for a mention within a sentence that says nothing of time."""
    text = released(profile, f"Patient was seen {mention} here, and the plan is to go on.")
    return text.removeprefix("Patient was seen ").removesuffix(" here, and the plan is to go on.")


@pytest.mark.parametrize("mention", MENTIONS)
def test_safe_harbor_leaves_years_alone(mention):
    """45 CFR 164.514(b)(2)(i)(C): all elements of dates except the year go."""
    new = surrogate("safe-harbor", mention)
    assert not TELLING.search(new), new
    assert re.search(r"\b(?:19|20)[0-9]{2}\b|\[date\]", new)


@pytest.mark.parametrize("profile", ["research", "gdpr-pseudonymised"])
@pytest.mark.parametrize("mention", MENTIONS)
def test_a_shift_leaves_no_true_date(profile, mention):
    """Every mention changes, and nothing of the true day, zone or stamp is left in it."""
    new = surrogate(profile, mention)
    assert new != mention or mention in {"spring 2024", "Q1 2024", "Tuesday at 10:15"}
    assert not TRUE.search(new), new


def test_intervals_stay_across_layouts_of_a_message():
    """A stamp, a day of the year, a Roman month and a plain date keep their days apart."""
    text = released(
        "research",
        "on 20240314T1015 and 2024-074 and 14.III.2024 and 3/14/2024 and 2024_03_15",
    )
    stamp, ordinal, roman, plain, marked = re.fullmatch(
        r"on (\d{8})T1015 and (\d{4}-\d{3}) and (\S+) and (\S+) and (\S+)", text
    ).groups()
    day = date(int(stamp[:4]), int(stamp[4:6]), int(stamp[6:]))
    assert f"{day:%Y-%j}" == ordinal
    assert f"{day.month}/{day.day}/{day.year}" == plain
    assert f"{day + timedelta(1):%Y_%m_%d}" == marked
    assert roman.startswith(f"{day.day}.")


@pytest.mark.parametrize(
    "text",
    [
        "BP 120/80, SpO2 98%, WBC 110512, dose 10-15 mg at 10:15-11:00",
        "Week 11 of therapy, day 74 of treatment, stage III 2 nodes",
        "Hours 08:00-17:00, ratio 1:30, room 2010, gave 1200 mL",
    ],
)
def test_what_is_no_date_stays(text):
    """Values, schedules and study days are not touched."""
    assert text == released("research", text)


@pytest.mark.parametrize(
    "mention", ["born 1929", "(b. 1930)", "DOB 1928", "born March 1928", "b. 3/4/1927"]
)
@pytest.mark.parametrize("profile", ["safe-harbor", "research"])
def test_a_birth_year_tells_no_age_over_89(profile, mention):
    """Of relatives too, whose date of birth no field has: all are born as somebody of 90."""
    text = released(profile, f"Her mother, {mention}, had a stroke.")
    assert int(re.search(r"(?:19|20)[0-9]{2}", text)[0]) in (1932, 1933, 1934)


def test_the_birth_year_of_a_younger_relative_stays():
    """An age up to 89 is no identifier."""
    assert "born 1960" in released("safe-harbor", "Her mother, born 1960, had a stroke.")
