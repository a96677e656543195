"""Check digits of code systems, against published codes."""

from __future__ import annotations

import pytest

from adapter.checkdigits import passes_luhn, passes_pzn, passes_verhoeff


@pytest.mark.parametrize("code", ["718-7", "2345-7", "4548-4", "8867-4", "30525-0"])
def test_loinc_codes_check(code):
    """The last digit of a LOINC code is the one that its others give."""
    assert passes_luhn(code)


@pytest.mark.parametrize("code", ["73211009", "22298006", "38341003", "900000000000207008"])
def test_snomed_codes_check(code):
    """The last digit of a SNOMED CT identifier is the one that its others give."""
    assert passes_verhoeff(code)


@pytest.mark.parametrize("digit", range(10))
def test_only_one_check_digit_is_right(digit):
    """Of ten last digits one is right, in both schemes."""
    assert passes_luhn(f"718-{digit}") is (digit == 7)
    assert passes_verhoeff(f"7321100{digit}") is (digit == 9)


@pytest.mark.parametrize("code", ["01126111", "08585997", "00999831", "999831"])
def test_product_numbers_check(code):
    """The last digit of a PZN is the one that its others give, with zeros before it or without."""
    assert passes_pzn(code)
    assert not passes_pzn(f"{code[:-1]}{(int(code[-1]) + 1) % 10}")
    assert not passes_pzn(f"1{code.zfill(8)}")
