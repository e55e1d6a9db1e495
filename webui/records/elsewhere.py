"""別台的: what was made on another device, and evenings that two devices went on with, each by itself."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from webui.i18n import Texts
from webui.store.chain import Entry
from webui.store.device import HERE, Device, said_by
from webui.store.store import View
from webui.store.upkeep.merging.parted import set_aside


@dataclass(frozen=True, slots=True)
class Version:
    """The same evening as another device went on with it: its id, and that device's name."""

    id: str
    device: str


@dataclass(frozen=True, slots=True)
class Versions:
    """An evening among its versions. `device`: the one that it stands beside ours from, None where it counts itself."""

    device: str | None
    others: tuple[Version, ...] = ()


class Elsewhere:
    """What the entries of kind ``device`` say, read once."""

    def __init__(self, view: View, here: Device, texts: Texts) -> None:
        self._devices = view.of_kind("device")
        self._aside = set_aside(self._devices)
        self._here, self._texts = here, texts

    def beside(self, game: str) -> str | None:
        """The device of an evening that stands beside one of ours; None where it counts itself."""
        said = self._aside.get(game)
        return self._name(said.name) if said else None

    def versions(self, view: View, game: str) -> Versions:
        """The other versions of an evening that are here; the first is the one that counts, unless it does itself."""
        said = self._aside.get(game)
        ours = said.of if said else game
        ids = [*([ours] if said else ()), *(id_ for id_, one in self._aside.items() if one.of == ours and id_ != game)]
        here = view.these(ids)
        return Versions(self.beside(game), tuple(Version(id_, self.beside(id_) or "") for id_ in ids if id_ in here))

    def made(self, entries: Iterable[Entry]) -> dict[str, str]:
        """The name of the device by the ids of those entries that were not made on this one."""
        found: dict[str, str] = {}
        for entry in entries:
            device = said_by(self._devices, entry.seq)
            # what stands before any device was named was made here, also where this one got its name since
            ours = device == HERE and bool(self._devices) and entry.seq < self._devices[-1].seq
            if device.device != self._here.device and not ours and self._devices:
                found[entry.id] = self._name(device.name)
        return found

    def _name(self, name: str) -> str:
        return name or str(self._texts("store.merged_computer"))
