"""The countries, states, cities and continents by which cells are known to name places."""

from __future__ import annotations

from functools import cache

from nliprobe.language.lexicon import lower_column
from nliprobe.language.values import is_country_or_state

# What the lexicon of countries, which is made for sentences, leaves out or spells otherwise.
_MORE = """
Israel, Palestine, Georgia, Bolivia, Bosnia and Herzegovina, Bosnia, Turkey, Netherlands, Philippines, Bahamas, Gambia,
Congo, DR Congo, Democratic Republic of the Congo, Republic of the Congo, Ivory Coast, Côte d'Ivoire, Benin, Niger,
Burundi, Burma, Brunei, Comoros, Djibouti, Dominica, Dominican Republic, Timor-Leste, East Timor, Equatorial Guinea,
Eswatini, Swaziland, Grenada, Guinea-Bissau, Kiribati, Kosovo, Lesotho, Liechtenstein, Maldives, Marshall Islands,
Mauritius, Monaco, Nauru, Palau, San Marino, Seychelles, Solomon Islands, South Sudan, Trinidad and Tobago, Tuvalu,
United Arab Emirates, UAE, Vanuatu, Vatican City, Macau, Macao, Puerto Rico, Greenland, Guam, Bermuda, Aruba, Curaçao,
Isle of Man, Jersey, Guernsey, Gibraltar, Faroe Islands, Cayman Islands, Tibet, Catalonia, Great Britain, Holland,
Kingdom of Great Britain, Kingdom of Italy, Kingdom of France, Holy Roman Empire, Austria-Hungary, Austrian Empire,
Roman Empire, Byzantine Empire, British Empire, Qing Dynasty, Ming Dynasty, Persia, Siam, Ceylon, Rhodesia, Zaire,
People's Republic of China, Republic of China, Republic of Ireland, Republic of Korea, Russian SFSR, Soviet Russia,
Nazi Germany, German Reich, Weimar Republic, Kingdom of Bavaria, Europe, Asia, Africa, North America, South America,
Oceania, Antarctica, Latin America, Worldwide, Global, International, CA, NY, NJ, TX, FL, MA, IL, PA, OH, MI, VA,
Saxony, Hesse, Normandy, Brittany, Tuscany, Lombardy, Sicily, Maharashtra, Tamil Nadu, Kerala, Karnataka, Gujarat,
West Bengal, Punjab, Uttar Pradesh, Rajasthan, Telangana, Andhra Pradesh, Bihar, Goa, New England, Saskatchewan,
New Brunswick, Newfoundland, Newfoundland and Labrador, Prince Edward Island, Yukon, Greater London, Surrey, Kent,
Essex, Sussex, Devon, Cornwall, Yorkshire, Lancashire, Cheshire, Norfolk, Suffolk, Hampshire, Berkshire, Derbyshire,
Oxfordshire, Staffordshire, Somerset, Dorset, Cumbria, Northumberland, Shropshire, Warwickshire, Gloucestershire
"""


def is_known_place(text: str) -> bool:
    """Tell whether a text is the name of a country, a state or a larger region.

    >>> is_known_place("France"), is_known_place("the Netherlands"), is_known_place("Narnia")
    (True, True, False)
    """
    plain = text.lower()
    return is_country_or_state(plain) or plain.removeprefix("the ") in _more_places()


def is_city(text: str) -> bool:
    """Tell whether a text is the name of a large city."""
    return text.lower() in _cities()


@cache
def _more_places() -> frozenset[str]:
    return frozenset([" ".join(name.split()).lower() for name in _MORE.split(",")])


@cache
def _cities() -> frozenset[str]:
    return frozenset([*lower_column("CITY"), "new york city", "los angeles"])
