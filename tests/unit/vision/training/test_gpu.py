"""Photos and crops changed on the training device, as on a graphics card; here on the processor."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

torch = pytest.importorskip("torch", reason="training comes with an extra")
pytest.importorskip("ultralytics", reason="training comes with an extra")

from vision.detection.types import Found  # noqa: E402
from vision.training.data.crops import ROOM_SIDES  # noqa: E402
from vision.training.gpu import classifier, course, detector, photos  # noqa: E402
from vision.training.gpu.views import ViewStream  # noqa: E402
from vision.training.networks import augment as crop_views  # noqa: E402
from vision.training.networks.augment import augment  # noqa: E402

CPU = torch.device("cpu")
INK, PAPER = np.array((255, 0, 0)), np.array((0, 0, 255))


def write_set(folder: Path, stems: dict[str, str]) -> Path:
    """A set of photos with one tile each, red in its upper half and blue in its lower one, on black."""
    for kind in ("images/train", "labels/train"):
        (folder / kind).mkdir(parents=True)
    for number, stem in enumerate(stems):
        pixels = np.zeros((200, 300, 3), np.uint8)
        x, y = 60 + 40 * number, 50
        pixels[y : y + 40, x : x + 60], pixels[y + 40 : y + 80, x : x + 60] = INK, PAPER
        Image.fromarray(pixels).save(folder / f"images/train/{stem}.png")
        middle = ((x + 30) / 300, (y + 40) / 200, 60 / 300, 80 / 200)
        (folder / f"labels/train/{stem}.txt").write_text(f"0 {' '.join(map(str, middle))}\n43 0.9 0.9 0.1 0.1\n")
    rows = "".join(f"images/train/{stem}.png,{scene}\n" for stem, scene in stems.items())
    (folder / "sources.csv").write_text(f"file,scene_group\n{rows}")
    return folder


def test_a_scene_is_left_out_and_a_photo_of_many_is_shown_less(tmp_path: Path) -> None:
    real = write_set(tmp_path / "real", {"a": "mat", "b": "mat", "c": "mat", "d": "home", "e": "stone"})
    made = write_set(tmp_path / "made", {"m": ""})
    read = photos.read_photos([real, made], [0.6, 0.4], ["stone"])
    shares = [photo.share for photo in read]
    assert len(read) == 5
    assert sum(shares[:4]) == pytest.approx(0.6)
    assert shares[4] == pytest.approx(0.4)
    assert shares[3] == pytest.approx(shares[0] * 3**photos.BALANCE)
    assert [len(photo.boxes) for photo in read] == [1] * 5, "what is no tile has no box"


def test_what_nobody_boxed_is_not_taught_as_table(tmp_path: Path) -> None:
    folder = write_set(tmp_path, {"a": "mat", "b": "home"})
    (folder / "unlabelled_backs.txt").write_text("b\n")

    class Finder:
        def find(self, pixels: np.ndarray) -> Found:
            return Found(np.array([[200.0, 20, 260, 100]]), np.array([0.9]))

    assert len(photos.read_photos([folder], [1.0])) == 1
    plain, painted = photos.read_photos([folder], [1.0], first=Finder())
    assert (painted.pixels[20:100, 200:260] == photos.GREY).all()
    assert not (plain.pixels == photos.GREY).any(), "in other photos all tiles are boxed"


def test_boxes_lie_on_their_tiles_and_no_tile_is_mirrored(tmp_path: Path) -> None:
    read = photos.read_photos([write_set(tmp_path, {"a": "mat", "b": "home"})], [1.0])
    store = photos.PhotoStore(read, CPU, seed=5)
    shown = store.pictures(24, 256)
    assert shown.pixels.shape == (24, 3, 256, 256)
    assert shown.pixels.min() >= 0
    assert shown.pixels.max() <= 1
    assert (shown.of.diff() >= 0).all(), "ultralytics counts on that order"
    assert len(shown.boxes) >= 20
    for of, (x, y, _, _) in zip(shown.of.tolist(), (shown.boxes * 256).tolist(), strict=True):
        lit = shown.pixels[of, :, int(y) - 1 : int(y) + 2, int(x) - 1 : int(x) + 2].mean((1, 2))
        table = shown.pixels[of].flatten(1).quantile(0.1, dim=1)
        assert lit.sum() > table.sum() + 0.05, "the middle of a box is on the coloured tile, not on the black table"


def test_a_turn_is_a_turn(tmp_path: Path) -> None:
    store = photos.PhotoStore(photos.read_photos([write_set(tmp_path, {"a": "mat"})], [1.0]), CPU, seed=2)
    matrices = store._matrices(torch.zeros(400, dtype=torch.long), torch.tensor([[0.0, 0.0, 256, 256]]).expand(400, 4))
    assert (matrices.det() > 0).all(), "a mirrored tile is another picture"
    assert torch.allclose(photos._inverse(matrices) @ matrices, torch.eye(2).expand(400, 2, 2), atol=1e-4)


@pytest.mark.parametrize(("done", "share"), [(0.03, 1.0), (1.0, 0.01), (0.015, 0.5)])
def test_the_rate_rises_and_falls(done: float, share: float) -> None:
    assert course.rate_at(done, 1.0) == pytest.approx(share, abs=0.04)


def test_the_mean_of_the_weights_follows() -> None:
    old, new = torch.nn.Linear(2, 1), torch.nn.Linear(2, 1)
    before = old.weight.detach().clone()
    course.follow(old, new, 0.75)
    assert torch.allclose(old.weight, before * 0.75 + new.weight * 0.25)


def test_a_detector_learns_where_the_tiles_are(tmp_path: Path) -> None:
    from ultralytics.nn.tasks import DetectionModel

    torch.manual_seed(1)
    model = DetectionModel("yolo11n.yaml", nc=1, verbose=False)
    torch.save({"model": model}, tmp_path / "start.pt")
    own = detector.network(tmp_path / "start.pt")
    assert all(one.requires_grad for name, one in own.named_parameters() if "dfl" not in name)
    store = photos.PhotoStore(photos.read_photos([write_set(tmp_path / "set", {"a": "mat"})], [1.0]), CPU)
    mean, shown = course.train(
        own,
        lambda: detector.loss_of(own, store.pictures(2, 64)),
        2,
        minutes=0.05,
        rate=1e-3,
        habits=detector.HABITS,
    )
    assert shown >= 2
    assert all(one.isfinite().all() for one in mean.state_dict().values())
    assert any(not torch.equal(a, b) for a, b in zip(mean.parameters(), model.parameters(), strict=True))


def small_store(tmp_path: Path) -> None:
    """A store of six crops, the last of them held out."""
    count, side = 6, 112
    meta = {
        "classes": np.array([0, 1, 18, 34, 42, 43]),
        "sizes": np.full((count, 2), (0.75, 1.0), np.float32),
        "held": np.array([False] * 5 + [True]),
        "teacher": np.eye(44, dtype=np.float32)[[0, 1, 18, 34, 42, 43]],
    }
    np.savez(tmp_path / "meta-real.npz", **meta)
    np.save(tmp_path / "pixels-real.npy", np.random.default_rng(1).integers(0, 255, (count, side, side, 3), np.uint8))


def test_crops_are_changed_and_keep_their_targets(tmp_path: Path) -> None:
    small_store(tmp_path)
    store = classifier.CropStore(tmp_path, {}, CPU, 3, taught=False)
    views, targets = store.batch(classifier.AT_ONCE)
    assert views.shape == (classifier.AT_ONCE, 3, 64, 64)
    assert views.min() >= 0
    assert views.max() <= 1
    assert set(targets.argmax(1).tolist()) == {0, 1, 18, 34, 42}, "what is held out is never shown"


def test_processes_make_the_views_and_each_its_own(tmp_path: Path) -> None:
    small_store(tmp_path)

    def views() -> ViewStream:
        return ViewStream(tmp_path, {}, CPU, side=64, batch=256, seed=3, workers=2, unsharp=True, sharp=0.5)

    stream = views()
    (first, targets), (second, _) = stream.next(), stream.next()
    assert first.shape == (256, 3, 64, 64)
    assert 0 <= float(first.min()) < float(first.max()) <= 1
    assert set(targets.argmax(1).tolist()) <= {0, 1, 18, 34, 42, 43}, "what is held out is never shown"
    assert not torch.equal(first, second), "the other process has another chance"
    again, _ = views().next()
    assert torch.equal(first, again)


def test_the_same_chance_shows_the_same_crops() -> None:
    pixels, sizes = torch.rand(32, 3, 112, 112), torch.tensor([[0.75, 1.0]]).expand(32, 2)
    classes = torch.arange(32) % 44
    first, second = (augment(pixels, sizes, classes, 64, torch.Generator().manual_seed(4)) for _ in range(2))
    assert torch.equal(first, second)


def looked_at(
    kind: int, monkeypatch: pytest.MonkeyPatch, *, cut: float, flat: float, hard: bool = True
) -> torch.Tensor:
    """The positions of 64 views of crops of that class, with these shares of cut and flat ones."""
    monkeypatch.setattr(crop_views, "CUT_SHARE", cut)
    monkeypatch.setattr(crop_views, "FLAT_SHARE", flat)
    sizes = torch.tensor([[0.75, 1.0]]).expand(64, 2)
    return crop_views.looked_at(sizes, torch.full((64,), kind), 16, torch.Generator().manual_seed(8), hard=hard)


def bend(places: torch.Tensor) -> torch.Tensor:
    """How far views (n, side, side, 2) are from showing a crop evenly."""
    across = places[:, :, 2:] - 2 * places[:, :, 1:-1] + places[:, :, :-2]
    down = places[:, 2:] - 2 * places[:, 1:-1] + places[:, :-2]
    return torch.maximum(across.abs().amax((1, 2, 3)), down.abs().amax((1, 2, 3)))


def test_what_the_photo_cuts_off_is_never_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    places = looked_at(0, monkeypatch, cut=1.0, flat=0.0)
    ends = torch.tensor([0.75, 1.0]) / ROOM_SIDES * (1 - 2 * crop_views.CUT[0]) + 1e-6
    hidden = (places.amax((1, 2)) <= ends) | (-places.amin((1, 2)) <= ends)
    assert hidden.any(1).all(), "a twentieth of each tile at least, on one side"
    assert (bend(places) > 1e-4).any(), "beyond the edge its last pixels repeat"


def test_a_window_without_a_tile_is_never_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    assert bend(looked_at(43, monkeypatch, cut=1.0, flat=0.0)).max() < 1e-5


def test_tiles_are_cut_only_where_that_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    assert bend(looked_at(0, monkeypatch, cut=1.0, flat=0.0, hard=False)).max() < 1e-5


def test_tiles_seen_from_low_over_the_table_are_shorter(monkeypatch: pytest.MonkeyPatch) -> None:
    def longer(places: torch.Tensor) -> float:
        across, down = places[:, 0, 1] - places[:, 0, 0], places[:, 1, 0] - places[:, 0, 0]
        sides = torch.linalg.svdvals(torch.stack((across, down), 2))
        return float((sides[:, 0] / sides[:, 1]).median())

    upright = longer(looked_at(0, monkeypatch, cut=0.0, flat=0.0))
    assert longer(looked_at(0, monkeypatch, cut=0.0, flat=1.0)) > 1.15 * upright
