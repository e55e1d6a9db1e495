"""語言: the languages that the program speaks, each declared once. Catalogs, choices, pages and records ask here."""

from collections.abc import Mapping
from typing import NamedTuple, TypeVar

T = TypeVar("T")


class Language(NamedTuple):
    """A language of the program.

    `code`: its name for ``--lang``, the page's cookie and the catalogs' files. `tag`: its name in HTML (BCP 47).
    `name`: its own name for itself. `comma`: separates the items of a list. `falls_back`: the whole language that
    supplies missing words, "" for a whole language. A whole language has every text. Records and answers in several
    languages are stored in each whole language.
    """

    code: str
    tag: str
    name: str
    comma: str = ", "
    falls_back: str = ""


DECLARED = (
    Language("zh", "zh-Hant", "中文", comma="、"),
    Language("en", "en", "English"),
)
LANGUAGES = tuple(language.code for language in DECLARED)
WHOLE = tuple(language.code for language in DECLARED if not language.falls_back)
_BY_CODE = {language.code: language for language in DECLARED}
_FIRST = DECLARED[0]
_WHOLE = {language.code: language.falls_back or language.code for language in DECLARED}


def language(code: str) -> Language:
    """The language of a code; the first one for an unknown code."""
    return _BY_CODE.get(code, _FIRST)


def whole(lang: str) -> str:
    """The whole language whose words stand for `lang`: itself, or the one that it falls back to.

    >>> whole("en")
    'en'
    """
    return _WHOLE.get(lang, _FIRST.code)


def in_language(texts: Mapping[str, T], lang: str) -> T:
    """What `texts` has in a language, or in the one that it falls back to.

    >>> in_language({"zh": "台", "en": "tai"}, "en")
    'tai'
    """
    return texts[lang] if lang in texts else texts[whole(lang)]


class Amount(int):
    """A whole number in a text: ``{number:# tile|# tiles}`` is the first for one, the second for any other number."""

    def __format__(self, forms: str) -> str:
        single, bar, plural = forms.partition("|")
        return (single if self == 1 else plural).replace("#", str(int(self))) if bar else super().__format__(forms)


def filled(template: str, values: Mapping[str, object]) -> str:
    """A text of a catalog with its values; a whole number selects the singular or the plural (see `Amount`).

    >>> filled("{number:# tile|# tiles} left", {"number": 1})
    '1 tile left'
    """
    if "|" not in template:  # most texts have no plural
        return template.format_map(values)
    return template.format_map({name: _amount(value) for name, value in values.items()})


def _amount(value: object) -> object:
    """A whole number as an `Amount`, also one of another library; `isinstance` with a protocol would take long."""
    if isinstance(value, str | bool) or not hasattr(value, "__index__"):
        return value
    return Amount(value)


def comma(lang: str) -> str:
    """The separator of list items."""
    return language(lang).comma
