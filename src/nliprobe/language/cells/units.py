"""Units of measure, of time and of money: how texts spell them, and which can be converted into each other."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

_INCH, _FOOT, _MILE = Fraction(254, 10**4), Fraction(3048, 10**4), Fraction(1609344, 1000)
_POUND = Fraction("0.45359237")
_SQUARE, _CUBIC, _SQ = r"(?:\s?2|²)", r"(?:\s?3|³)", r"sq(?:uare|\.)?\s?"
_METRE = r"met(?:re|er)s?"
# Name, dimension, size in the base unit of the dimension, spellings. Longer units come before those they begin with.
_MEASURES: tuple[tuple[str, str, Fraction | int, str], ...] = (
    ("/km²", "density", Fraction(1, 10**6), rf"(?:/\s?|per )(?:km{_SQUARE}|{_SQ}km|{_SQ}kilo{_METRE})"),
    ("/sq mi", "density", 1 / _MILE**2, rf"(?:/\s?|per )(?:{_SQ}miles?|{_SQ}mi|mi{_SQUARE})"),
    ("/ha", "density", Fraction(1, 10**4), r"(?:/\s?|per )(?:ha|hectare)"),
    ("cm²", "area", Fraction(1, 10**4), rf"cm{_SQUARE}|{_SQ}cm|{_SQ}centi{_METRE}"),
    ("km²", "area", 10**6, rf"km{_SQUARE}|{_SQ}km|{_SQ}kilo{_METRE}"),
    ("m²", "area", 1, rf"m{_SQUARE}|{_SQ}m|{_SQ}{_METRE}"),
    ("sq in", "area", _INCH**2, rf"{_SQ}in(?:ch(?:es)?)?"),
    ("sq ft", "area", _FOOT**2, rf"{_SQ}f(?:t|eet|oot)|ft{_SQUARE}"),
    ("sq mi", "area", _MILE**2, rf"{_SQ}mi(?:les?)?|mi{_SQUARE}"),
    ("acre", "area", Fraction("4046.8564224"), r"acres?"),
    ("ha", "area", 10**4, r"ha|hectares?"),
    ("km³", "volume", 10**12, rf"km{_CUBIC}|cubic kilo{_METRE}"),
    ("m³", "volume", 1000, rf"m{_CUBIC}|cubic {_METRE}"),
    ("ml", "volume", Fraction(1, 1000), r"ml|millilit(?:re|er)s?|cc"),
    ("l", "volume", 1, r"l|lit(?:re|er)s?"),
    ("gal", "gallons", 1, r"gal(?:lons?)?"),
    ("km/s", "speed", 1000, rf"km/s|kilo{_METRE} per second"),
    ("m/s", "speed", 1, rf"m/s|{_METRE} per second"),
    ("km/h", "speed", Fraction(10, 36), rf"km/h|kmp?h|kph|kilo{_METRE} per hour"),
    ("mph", "speed", _MILE / 3600, r"mph|mi/h|miles per hour"),
    ("kn", "speed", Fraction(1852, 3600), r"kn|knots?"),
    ("mm", "length", Fraction(1, 1000), rf"mm|milli{_METRE}"),
    ("cm", "length", Fraction(1, 100), rf"cms?|centi{_METRE}"),
    ("km", "length", 1000, rf"kms?|kilo{_METRE}"),
    ("m", "length", 1, rf"m|{_METRE}"),
    ("in", "length", _INCH, r"in|inch(?:es)?|″"),
    ("ft", "length", _FOOT, r"ft|feet|foot|′"),
    ("yd", "length", _FOOT * 3, r"yds?|yards?"),
    ("mi", "length", _MILE, r"mi|miles?"),
    ("nmi", "length", 1852, r"nmi|nautical miles?"),
    ("mg", "mass", Fraction(1, 10**6), r"mg|milligrams?"),
    ("kg", "mass", 1, r"kgs?|kilos?|kilograms?"),
    ("g", "mass", Fraction(1, 1000), r"g|grams?"),
    ("t", "mass", 1000, r"tonnes?|metric tons?|t"),
    ("oz", "mass", _POUND / 16, r"oz|ounces?"),
    ("lb", "mass", _POUND, r"lbs?|pounds?"),
    ("ton", "tons", 1, r"(?:short |long )?tons?"),
    ("kJ", "energy", 1, r"kj|kilojoules?"),
    ("kcal", "energy", Fraction("4.184"), r"kcals?|calories|kilocalories"),
    ("kW", "power", 1000, r"kw|kilowatts?"),
    ("MW", "power", 10**6, r"mw|megawatts?"),
    ("hp", "horsepower", 1, r"b?hp|horsepower"),
    ("°C", "degrees Celsius", 1, r"°\s?c|degrees? celsius"),
    ("°F", "degrees Fahrenheit", 1, r"°\s?f|degrees? fahrenheit"),
    ("K", "kelvins", 1, r"K|kelvins?"),
    ("°", "degrees", 1, r"°|degrees?"),
    ("‰", "per mille", 1, r"‰"),
    ("AU", "astronomical units", 1, r"au"),
    ("ly", "light years", 1, r"ly|light[ -]years?"),
    ("MHz", "megahertz", 1, r"mhz|megahertz"),
    ("GHz", "gigahertz", 1, r"ghz|gigahertz"),
    ("rpm", "rpm", 1, r"rpm"),
    ("GB", "gigabytes", 1, r"gb|gigabytes?"),
    ("MB", "megabytes", 1, r"mb|megabytes?"),
    ("%", "per cent", 1, r"%|per\s?cent|pct"),
)  # fmt: skip
# A year is 365.25 days and a month a twelfth of it, so that "12 months" is "1 year".
_YEAR = 31_557_600
_TIMES: tuple[tuple[str, int, str], ...] = (
    ("second", 1, r"s|secs?|seconds?"),
    ("minute", 60, r"mins?|minutes?|minuts?"),
    ("hour", 3600, r"h|hrs?|hours?"),
    ("day", 86_400, r"d|days?"),
    ("week", 604_800, r"wks?|weeks?"),
    ("month", _YEAR // 12, r"mos|months?"),
    ("year", _YEAR, r"yrs?|years?"),
    ("decade", 10 * _YEAR, r"decades?"),
    ("century", 100 * _YEAR, r"century|centuries"),
)
SECONDS = {name: size for name, size, _ in _TIMES}
DIMENSIONS = {name: (dimension, Fraction(factor)) for name, dimension, factor, _ in _MEASURES}

_NAMES = [*[(name, spellings) for name, _, _, spellings in _MEASURES], *[(name, text) for name, _, text in _TIMES]]
_UNIT = re.compile("|".join(f"({spellings})(?![\\w²³])" for _, spellings in _NAMES), re.IGNORECASE)

CURRENCIES = {
    "$": "USD", "us$": "USD", "u.s.$": "USD", "u.s. $": "USD", "us $": "USD", "usd": "USD", "a$": "AUD", "au$": "AUD",
    "aud": "AUD", "c$": "CAD", "ca$": "CAD", "cad": "CAD", "nz$": "NZD", "nzd": "NZD", "hk$": "HKD", "hkd": "HKD",
    "s$": "SGD", "sgd": "SGD", "nt$": "TWD", "twd": "TWD", "r$": "BRL", "brl": "BRL", "mex$": "MXN", "mxn": "MXN",
    "£": "GBP", "gb£": "GBP", "gbp": "GBP", "€": "EUR", "eur": "EUR", "euro": "EUR",
    "¥": "JPY", "jp¥": "JPY", "jpy": "JPY",
    "cn¥": "CNY", "cny": "CNY", "rmb": "CNY", "₹": "INR", "inr": "INR", "rs": "INR", "rs.": "INR", "₩": "KRW",
    "krw": "KRW", "chf": "CHF", "sek": "SEK", "nok": "NOK", "dkk": "DKK", "₽": "RUB", "rub": "RUB", "₺": "TRY",
    "try": "TRY", "₪": "ILS", "ils": "ILS", "฿": "THB", "thb": "THB", "₫": "VND", "vnd": "VND", "₦": "NGN",
    "ngn": "NGN", "zar": "ZAR", "pln": "PLN", "czk": "CZK", "huf": "HUF", "gel": "GEL", "pkr": "PKR", "myr": "MYR",
    "rm": "MYR", "php": "PHP", "₱": "PHP", "idr": "IDR", "rp": "IDR", "egp": "EGP", "aed": "AED", "sar": "SAR",
}  # fmt: skip
_MONEY_WORDS: tuple[tuple[str, str], ...] = (
    ("USD", r"(?:u\.?s\.? |american )?dollars?"),
    ("AUD", r"australian dollars?"),
    ("CAD", r"canadian dollars?"),
    ("GBP", r"pounds? sterling|british pounds?|quid"),
    ("EUR", r"euros?|€"),
    ("INR", r"(?:indian )?rupees?"),
    ("JPY", r"(?:japanese )?yen"),
    ("CNY", r"(?:chinese )?yuan"),
    ("KRW", r"(?:south )?korean won"),
    ("CHF", r"swiss francs?"),
    ("FRF", r"francs?"),
    ("DEM", r"deutsche marks?"),
    ("MXN", r"(?:mexican )?pesos?"),
    ("RUB", r"(?:russian )?roubles?|(?:russian )?rubles?"),
    ("SEK", r"swedish kron(?:a|or)"),
)
# In lower case, "try" and "all" are other words.
_CODES = rf"(?-i:{'|'.join(sign.upper() for sign in CURRENCIES if sign.isalpha())}|Rs\.?|Rp|[Ee]uro)"
_SIGNS = sorted((sign for sign in CURRENCIES if not sign[-1].isalpha()), key=len, reverse=True)
# The signs and codes that stand before a number.
MONEY_BEFORE = rf"(?:{'|'.join(map(re.escape, _SIGNS))}|(?<!\w){_CODES})"
CURRENCY_CODES = frozenset([*CURRENCIES.values(), *[code for code, _ in _MONEY_WORDS]])
_MONEY_AFTER = re.compile(
    "|".join([*[f"({words})(?!\\w)" for _, words in _MONEY_WORDS], rf"({_CODES}|[$£€¥₹])(?!\w)"]),
    re.IGNORECASE,
)

SCALES = {
    "hundred": 10**2, "thousand": 10**3, "k": 10**3, "lakh": 10**5, "lakhs": 10**5, "million": 10**6,
    "millions": 10**6, "mil": 10**6, "mil.": 10**6, "mn": 10**6, "m": 10**6, "crore": 10**7, "crores": 10**7,
    "billion": 10**9, "billions": 10**9, "bil": 10**9, "bil.": 10**9, "bn": 10**9, "b": 10**9, "trillion": 10**12,
}  # fmt: skip
# Such letters are a scale only beside a currency: "$5m" is money, "5 m" is a length.
MONEY_SCALES = frozenset(["k", "m", "b", "mil", "mil.", "bil", "bil.", "mn"])


class UnitMatch(NamedTuple):
    """A unit in a text: its name in records and where its spelling ends."""

    name: str
    stop: int


def match_unit(text: str, start: int) -> UnitMatch | None:
    """Return the unit of measure or time whose spelling begins at a place; None if there is none.

    >>> match_unit("5 sq mi", 2), match_unit("46 minutes", 3).name, match_unit("5 men", 2)
    (UnitMatch(name='sq mi', stop=7), 'minute', None)
    """
    match = _UNIT.match(text, start)
    if match is None or match.lastindex is None:
        return None
    name = _NAMES[match.lastindex - 1][0]
    # "5 M" and "5 S" are no metres and seconds.
    if len(match[0]) == 1 and match[0].isalpha() and match[0] not in (name, name[0]):
        return None
    return UnitMatch(name, match.end())


def match_money(text: str, start: int) -> UnitMatch | None:
    """Return the currency whose name or code begins at a place, as in "5 euros" and "5 USD"."""
    match = _MONEY_AFTER.match(text, start)
    if match is None or match.lastindex is None:
        return None
    place = match.lastindex - 1
    code = _MONEY_WORDS[place][0] if place < len(_MONEY_WORDS) else CURRENCIES[match[0].lower()]
    return UnitMatch(code, match.end())


def currency_code(sign: str) -> str:
    """Return the code of a currency's sign: "US$" is "USD"."""
    return CURRENCIES[" ".join(sign.lower().split())]
