"""資料卡: the description of a dataset, generated from it: sources, licences, counts, splits, health."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from vision.labelling.labels import ORIGINS, SPLITS, LabelledPhoto
from vision.labelling.messages import catalog
from vision.labelling.own.names import shown_name
from vision.labelling.quality.health import FINDING_KINDS, Health
from vision.labelling.versions import content_hash


def card(title: str, photos: Sequence[LabelledPhoto], health: Health, lang: str = "zh") -> str:
    """The card as Markdown.

    Args:
        title: of the set.
        photos: with their labels.
        health: result of the health check.
        lang: of the card.
    """
    words = catalog(lang)
    labels = [label for photo in photos for label in photo.labels]
    origins = Counter(str(label.origin) for label in labels)
    lines = [f"# {_plain(title)}", "", words["card_intro"], ""]
    lines += [f"- {words['card_version']}: `{content_hash(photos)}`"]
    lines += [f"- {words['word_photos']}: {len(photos)}", f"- {words['word_labels']}: {len(labels)}"]
    counts_text = ", ".join(f"{words[f'word_{origin}']} {origins[origin]}" for origin in ORIGINS if origins[origin])
    lines += [f"- {words['card_labels']}: {counts_text or 0}; {words['word_checked']} {health.checked}"]
    lines += [f"- {words['word_scenes']}: {health.scenes}", ""]
    unknown = words["word_unknown"]
    lines += _section(
        words["card_sources"],
        (words["word_source"], words["word_licence"], words["word_consent"], words["word_photos"]),
    )
    lines += _rows(
        photos,
        lambda photo: (photo.photo.source or unknown, photo.photo.licence or unknown, photo.photo.consent or unknown),
    )
    unsplit = words["word_unsplit"]
    lines += _section(words["card_splits"], (words["word_split"], words["word_scenes"], words["word_photos"]))
    lines += _rows(photos, lambda photo: (photo.photo.split or unsplit, photo.photo.scene or unknown))
    splits = [split for split in (*SPLITS, None) if any(photo.photo.split == split for photo in photos)]
    named = [split or unsplit for split in splits]
    lines += _section(words["card_classes"], (words["word_tile"], *named, words["word_all"]))
    counts = {
        split: Counter(label.tile for photo in photos if photo.photo.split == split for label in photo.labels)
        for split in splits
    }
    for tile in health.classes:
        row = [counts[split][tile] for split in splits]
        lines.append(f"| {_plain(shown_name(tile))} | {' | '.join(map(str, row))} | {sum(row)} |")
    lines += _section(words["card_health"], (words["word_finding"], words["word_count"]))
    lines += [f"| {words[f'title_{kind}']} | {len(health.of(kind))} |" for kind in FINDING_KINDS]
    return "\n".join(lines) + "\n"


def _section(title: str, columns: Sequence[str]) -> list[str]:
    return ["", f"## {title}", "", f"| {' | '.join(columns)} |", f"|{'---|' * len(columns)}"]


def _rows(photos: Iterable[LabelledPhoto], of: Callable[[LabelledPhoto], tuple[str, ...]]) -> list[str]:
    counted = Counter(of(photo) for photo in photos)
    return [f"| {' | '.join(map(_plain, key))} | {count} |" for key, count in sorted(counted.items())]


def _plain(text: str) -> str:
    """Names from elsewhere say nothing in Markdown."""
    return "".join(f"\\{c}" if c in r"\`*_[]|#" else html.escape(c, quote=False) for c in " ".join(text.split()))
