"""別台的: what was made on another device, and evenings that several went on with, each by itself."""

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
    """The same evening as another device went on with it: its id, and that device's name, empty where it is ours."""

    id: str
    device: str
    counts: bool


@dataclass(frozen=True, slots=True)
class Versions:
    """An evening among its versions. `device`: whose it is, None where it is ours. `counts`: for the figures."""

    device: str | None
    counts: bool
    others: tuple[Version, ...] = ()


class Elsewhere:
    """What the entries of kind ``device`` say, read once."""

    def __init__(self, view: View, here: Device, texts: Texts) -> None:
        self._devices = view.of_kind("device")
        self._aside = set_aside(self._devices)
        self._chosen = chosen(view)
        self._here, self._texts = here, texts

    def beside(self, game: str) -> str | None:
        """The device of an evening that stands beside one of ours; None where it is ours."""
        said = self._aside.get(game)
        return self._name(said.name) if said else None

    def ours(self, game: str) -> str:
        """Our version of an evening: itself, where it stands beside no other."""
        said = self._aside.get(game)
        return said.of if said else game

    def counts(self, game: str) -> bool:
        """Whether figures count this version of an evening."""
        ours = self.ours(game)
        return self._chosen.get(ours, ours) == game

    def versions(self, view: View, game: str) -> Versions:
        """The other versions of an evening that are here, ours first."""
        ours = self.ours(game)
        ids = [id_ for id_ in (ours, *(id_ for id_, one in self._aside.items() if one.of == ours)) if id_ != game]
        here = view.these(ids)
        others = (Version(id_, self.beside(id_) or "", self.counts(id_)) for id_ in ids if id_ in here)
        return Versions(self.beside(game), self.counts(game), tuple(others))

    def made(self, entries: Iterable[Entry]) -> dict[str, str]:
        """The name of the device by the ids of those entries that were not made on this one."""
        device_of: dict[str, str] = {}
        for entry in entries:
            device = said_by(self._devices, entry.seq)
            # what stands before any device was named was made here, also where this one got its name since
            ours = device == HERE and bool(self._devices) and entry.seq < self._devices[-1].seq
            if device.device != self._here.device and not ours and self._devices:
                device_of[entry.id] = self._name(device.name)
        return device_of

    def _name(self, name: str) -> str:
        return name or str(self._texts("store.merged_computer"))
