"""The pocket's device signs its records: a chain written again, a missing and a false signature are named."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

from tests.unit.webui.support.records_kit import rewrite
from webui.store.place import DATABASE, Place
from webui.store.store import Store
from webui.store.upkeep.backup import backup, restore
from webui.store.upkeep.device_signatures import _G, _N, _P, FILE, add, is_signed, name_of, stored, to_sign
from webui.store.upkeep.verify import verify


class Device:
    """A browser with its key."""

    def __init__(self) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())

    def sign(self, store: Store) -> None:
        with store.reading() as view:
            head = to_sign(store.place.folder, view.head())
        both = b"".join(number.to_bytes(32) for number in self.signature(f"paitai {head}".encode()))
        x, y = (base64.urlsafe_b64encode(number.to_bytes(32)).decode().rstrip("=") for number in self.public)
        add(store.place.folder, head, (x, y), base64.urlsafe_b64encode(both).decode().rstrip("="))

    def signature(self, message: bytes) -> tuple[int, int]:
        return decode_dss_signature(self.key.sign(message, ec.ECDSA(hashes.SHA256())))

    @property
    def public(self) -> tuple[int, int]:
        numbers = self.key.public_key().public_numbers()
        return numbers.x, numbers.y


def kept(store: Store, *names: str) -> None:
    with store.writing() as writer:
        for name in names:
            writer.append("person", {"name": name, "is": None})


def found(store: Store) -> list[tuple[str, int, bool]]:
    return [(finding.what, finding.seq, finding.breaks) for finding in verify(store).findings]


@pytest.fixture
def device() -> Device:
    return Device()


@pytest.fixture
def store(tmp_path: Path, device: Device) -> Store:
    """Three entries in two saves, both signed."""
    made = Store(Place(f"sqlite:///{tmp_path / DATABASE}", tmp_path))
    kept(made, "甲", "乙")
    device.sign(made)
    kept(made, "丙")
    device.sign(made)
    return made


def test_the_arithmetic_is_that_of_a_library(device: Device) -> None:
    for number in range(5):
        message = b"paitai %d" % number
        r, s = device.signature(message)
        assert is_signed(message, device.public, (r, s))
        assert not is_signed(message + b".", device.public, (r, s))
        assert not is_signed(message, device.public, (r, s ^ 1))
        assert not is_signed(message, Device().public, (r, s))
    assert not is_signed(b"", (0, 0), (1, 1))
    assert not is_signed(b"", device.public, (0, 1))


def test_signed_records_are_whole(store: Store) -> None:
    assert found(store) == []
    with store.reading() as view:
        assert to_sign(store.place.folder, view.head()) == "", "it is signed once"
        assert to_sign(store.place.folder, None) == ""
    assert len(name_of(stored(store.place.folder)[0].key)) == 9


def test_a_chain_written_again_is_named(store: Store) -> None:
    rewrite(store, 1, json.dumps({"is": None, "name": "丁"}, sort_keys=True, separators=(",", ":")))
    assert found(store) == [("signed_other", 2, True)]
    assert not verify(store).whole


def _forged(line: dict[str, object]) -> dict[str, object]:
    return {**line, "signature": "A" * 86}


FALSE = [
    _forged,
    lambda line: {**line, "x": line["y"]},
    lambda line: {"seq": 3},
    lambda line: {**line, "seq": float("inf")},
    lambda line: {**line, "y": base64.urlsafe_b64encode((_P + 5).to_bytes(33)).decode()},
]


@pytest.mark.parametrize("change", FALSE)
def test_a_false_signature_is_named(store: Store, change: Callable[[dict[str, object]], dict[str, object]]) -> None:
    path = store.place.folder / FILE
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:-1], json.dumps(change(json.loads(lines[-1])))]))
    assert ("signed_wrong") in {what for what, _, breaks in found(store) if breaks}


def test_a_line_that_nests_too_deep_is_a_false_signature(store: Store) -> None:
    path = store.place.folder / FILE
    path.write_text(path.read_text() + "[" * 200_000)
    assert "signed_wrong" in {what for what, _, _ in found(store)}


def test_another_spelling_of_a_point_is_no_key() -> None:
    """Two spellings of one point would have no inverse between them."""
    message = b"paitai 1"
    digest = int.from_bytes(hashlib.sha256(message).digest()) % _N
    assert not is_signed(message, (_G[0], _G[1] + _P), (digest, digest))


def test_what_is_not_signed_is_named(store: Store, device: Device) -> None:
    kept(store, "丁")
    assert found(store) == [("unsigned", 4, False)]
    assert verify(store).whole, "it is no sign of a change"
    Device().sign(store)
    assert found(store) == [("signed_key", 4, False)]


def test_a_backup_carries_the_signatures(store: Store, tmp_path: Path) -> None:
    backup(store, tmp_path / "b.zip")
    other = Store(Place(f"sqlite:///{tmp_path / 'new' / DATABASE}", tmp_path / "new"))
    restore(other, tmp_path / "b.zip")
    assert found(other) == []
    rewrite(other, 2, json.dumps({"is": None, "name": "丁"}, sort_keys=True, separators=(",", ":")))
    assert [what for what, _, _ in found(other)] == ["signed_other"]


def test_records_without_signatures_are_as_before(tmp_path: Path) -> None:
    store = Store(Place(f"sqlite:///{tmp_path / DATABASE}", tmp_path))
    kept(store, "甲")
    assert found(store) == []
