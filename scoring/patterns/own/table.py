"""條件表: the traits that own patterns are made of, and the ready ones, for the terminal and the documentation."""

from collections.abc import Iterator

from scoring.messages import word
from scoring.messages.conditions import number_text, trait_text
from scoring.patterns.own.numbers import NUMBERS
from scoring.patterns.own.words import TRAIT_GROUPS, Word, family_of, listed
from scoring.rulebook.own_patterns import READY_FILE


def say(key: str, lang: str) -> str:
    """One of the words about own patterns."""
    return word("own_words", key, f"rules.{lang}")


def groups(lang: str) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Each group's heading, with its traits: how they are written, and what they mean."""
    for group in TRAIT_GROUPS:
        rows = [(written(word), trait_text(word.id, lang)) for word in listed() if word.group == group]
        yield word("own_groups", group, f"rules.{lang}"), rows


def numbers(lang: str) -> Iterator[tuple[str, str, str]]:
    """Each number's group, its id, and its meaning."""
    for number in NUMBERS.values():
        yield word("own_groups", number.group, f"rules.{lang}"), number.id, number_text(number.id, lang)


def written(trait: Word) -> str:
    """How a trait is written; a family as its first and its last.

    >>> from scoring.patterns.own.words import WORDS
    >>> written(WORDS["chow_123"])
    'chow_123 … chow_789'
    """
    family = family_of(trait.id)
    return f"{family[0]} … {family[-1]}" if family else trait.id


def marked(written: str) -> str:
    """The same, each id marked as code.

    >>> marked("chow_123 … chow_789")
    '`chow_123` … `chow_789`'
    """
    return " … ".join(f"`{id_}`" for id_ in written.split(" … "))


def ready_toml() -> str:
    """The ready own patterns as a book takes them in."""
    with open(READY_FILE, encoding="utf-8") as stream:
        _, _, tables = stream.read().partition("\n\n")
    return tables.rstrip()
