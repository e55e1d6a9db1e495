"""沒等點頭: undos and corrections of another hand's entry that did not wait for the nod that their table wanted.

The page never makes one (`webui.views.table.steps`). A program that writes into the database does, an earlier version
of PaiTai, and a device without phones, where nobody else can agree.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from webui.store.chain import Entry

CHANGES = ("void", "amended")
FREE = "paid"
"""An entry that may be taken back without a nod, as the setting says."""
ADDED = ("by", "wish")
"""What the entry of an agreed change holds besides what was wished for."""


@dataclass(slots=True)
class Nods:
    """What a walk along the chain has seen of settings, wishes and answers. `wanted`: the evenings that want nods;
    `hands`: the hand of each entry; `wishes`, and which of them another hand agreed to (`agreed`)."""

    wanted: set[str] = field(default_factory=set)
    hands: dict[str, object] = field(default_factory=dict)
    wishes: dict[str, Entry] = field(default_factory=dict)
    agreed: set[str] = field(default_factory=set)

    def went_round(self, entry: Entry) -> bool:
        """Whether the next entry of the chain changed another hand's entry without the nod that it needed."""
        if entry.about is None or entry.fault is not None:
            return False
        content, hand = entry.content, _hand(entry)
        wanted = entry.about in self.wanted
        if entry.kind != FREE:
            self.hands[entry.id] = hand
        if entry.kind == "wish":
            self.wishes[entry.id] = entry
        elif entry.kind == "nodded":
            wish = self.wishes.get(str(content["wish"]))
            if wish is not None and content["yes"] and _hand(wish) != hand:
                self.agreed.add(wish.id)
        elif entry.kind == "nods":
            (self.wanted.add if content["on"] else self.wanted.discard)(entry.about)
            return wanted and not content["on"] and not self._is_agreed(entry)
        elif entry.kind in CHANGES and wanted:
            target = str(content["entry"])
            others = target in self.hands and self.hands[target] != hand
            return others and not self._is_agreed(entry)
        return False

    def _is_agreed(self, entry: Entry) -> bool:
        """Whether it is what a wish asked for that another hand agreed to."""
        wish = self.wishes.get(str(entry.content.get("wish")))
        if wish is None or wish.id not in self.agreed or wish.about != entry.about:
            return False
        wished = {key: value for key, value in entry.content.items() if key not in ADDED}
        return (wish.content["kind"], wish.content["content"]) == (entry.kind, wished)


def _hand(entry: Entry) -> object:
    """The number of the phone that made it; None for the computer itself."""
    by = entry.content.get("by")
    return by.get("phone") if isinstance(by, Mapping) else None
