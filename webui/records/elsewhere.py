"""別台的: entries from other devices, and evenings that several devices continued separately."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from webui.i18n import Texts
from webui.store.chain import Entry
from webui.store.device import HERE, Device, said_by
from webui.store.store import View
from webui.store.upkeep.merging.counted import chosen
from webui.store.upkeep.merging.parted import set_aside


@dataclass(frozen=True, slots=True)
class Version:
    """An evening as another device continued it: its id and the device's name, or an empty name for ours."""

    id: str
    device: str
    counts: bool


@dataclass(frozen=True, slots=True)
class Versions:
    """An evening among its versions. `device`: its owner, None if it is ours. `counts`: whether figures include it."""

    device: str | None
    counts: bool
    others: tuple[Version, ...] = ()


class Elsewhere:
    """The content of all ``device`` entries, read once."""

    def __init__(self, view: View, here: Device, texts: Texts) -> None:
        self._devices = view.of_kind("device")
        self._aside = set_aside(self._devices)
        self._chosen = chosen(view)
        self._here, self._texts = here, texts

    def beside(self, game: str) -> str | None:
        """The device of an evening that is another version of ours; None if the evening is ours."""
        aside = self._aside.get(game)
        return self._name(aside.name) if aside else None

    def ours(self, game: str) -> str:
        """The id of our version of an evening; its own id if there is only one version."""
        aside = self._aside.get(game)
        return aside.of if aside else game

    def counts(self, game: str) -> bool:
        """Whether figures count this version of an evening."""
        ours = self.ours(game)
        return self._chosen.get(ours, ours) == game

    def versions(self, view: View, game: str) -> Versions:
        """The other versions of an evening that are here, ours first."""
        ours = self.ours(game)
        ids = [id_ for id_ in (ours, *(id_ for id_, aside in self._aside.items() if aside.of == ours)) if id_ != game]
        here = view.these(ids)
        others = (Version(id_, self.beside(id_) or "", self.counts(id_)) for id_ in ids if id_ in here)
        return Versions(self.beside(game), self.counts(game), tuple(others))

    def made(self, entries: Iterable[Entry]) -> dict[str, str]:
        """Device names by entry id, for the entries made on other devices."""
        device_of: dict[str, str] = {}
        for entry in entries:
            device = said_by(self._devices, entry.seq)
            # entries before the first device entry were made here, even if this device got its name later
            ours = device == HERE and bool(self._devices) and entry.seq < self._devices[-1].seq
            if device.device != self._here.device and not ours and self._devices:
                device_of[entry.id] = self._name(device.name)
        return device_of

    def _name(self, name: str) -> str:
        return name or str(self._texts("store.merged_computer"))
