"""The CLIP encoder through its real loading path, on a tiny model with random weights made here."""

import hashlib
import json
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from skimage import data

from provise.encoders import clip, encoder_name, get_encoder
from provise.errors import InputError, MissingDependencyError
from provise.protocol import open_protocol
from provise.reading import Reading, read
from tests.drawing import png

TINY = {
    "embed_dim": 32,
    "vision_cfg": {"image_size": 64, "layers": 2, "width": 64, "head_width": 32, "patch_size": 16},
    "text_cfg": {"context_length": 8, "vocab_size": 64, "width": 32, "heads": 2, "layers": 1},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as open_clip saves it: configuration and weights."""
    pytest.importorskip("open_clip")
    pytest.importorskip("torch")
    return _saved(tmp_path_factory.mktemp("tiny_clip"), 3)


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(clip.CLIP_VARIABLE, raising=False)
    clip._loaded.cache_clear()


def test_vectors_equal_open_clips_own(folder: Path) -> None:
    import open_clip
    import torch
    from PIL import Image

    model, _, transform = open_clip.create_model_and_transforms(f"local-dir:{folder}")
    pictures = [data.astronaut(), data.coffee(), np.ascontiguousarray(data.rocket()[:, :200])]
    with torch.inference_mode():
        batch = torch.stack([transform(Image.fromarray(picture)) for picture in pictures])
        expected = torch.nn.functional.normalize(model.eval().encode_image(batch), dim=-1).numpy()
    found = get_encoder(f"local-dir:{folder}").encode(pictures)
    assert np.abs(found - expected).max() < 1e-5


def _by_hand(weights: dict[str, np.ndarray], picture: np.ndarray, heads: int) -> np.ndarray:
    """Run an image tower in numpy alone, as the ViT paper defines it: a second runtime to hold the first to."""
    from scipy.special import erf

    def norm(x: np.ndarray, name: str) -> np.ndarray:
        y = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5)
        return y * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    def linear(x: np.ndarray, name: str) -> np.ndarray:
        return x @ weights[f"{name}weight"].T + weights[f"{name}bias"]

    kernel = weights["conv1.weight"]
    side, cells = kernel.shape[-1], picture.shape[-1] // kernel.shape[-1]
    patches = picture.reshape(3, cells, side, cells, side).transpose(1, 3, 0, 2, 4).reshape(cells * cells, -1)
    x = np.vstack([weights["class_embedding"], patches @ kernel.reshape(len(kernel), -1).T])
    x = norm(x + weights["positional_embedding"], "ln_pre")
    blocks = {key.split(".")[2] for key in weights if key.startswith("transformer.resblocks.")}
    for block in sorted(blocks, key=int):
        at = f"transformer.resblocks.{block}"
        q, k, v = (
            part.reshape(len(x), heads, -1).transpose(1, 0, 2)
            for part in np.split(linear(norm(x, f"{at}.ln_1"), f"{at}.attn.in_proj_"), 3, axis=1)
        )
        share = np.exp(q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1]))
        mixed = (share / share.sum(-1, keepdims=True) @ v).transpose(1, 0, 2).reshape(x.shape)
        x = x + linear(mixed, f"{at}.attn.out_proj.")
        inner = linear(norm(x, f"{at}.ln_2"), f"{at}.mlp.c_fc.")
        x = x + linear(inner * (1 + erf(inner / np.sqrt(2))) / 2, f"{at}.mlp.c_proj.")
    row = norm(x[0], "ln_post") @ weights["proj"]
    return row / np.linalg.norm(row)


def test_another_runtime_gives_the_same_vector_of_the_same_pixels(folder: Path) -> None:
    encoder = get_encoder(f"local-dir:{folder}")
    weights = {key: value.double().numpy() for key, value in encoder.model.visual.state_dict().items()}
    for picture in (data.astronaut(), data.coffee()[:, :250], data.chelsea()[:90]):
        expected = _by_hand(weights, clip.preprocess(picture, **encoder.settings).astype(np.float64), heads=2)
        assert np.abs(encoder.encode([picture])[0] - expected).max() < 1e-5


def _saved(where: Path, seed: int, **config: Any) -> Path:
    """Save a tiny model as open_clip does: configuration and weights."""
    import torch
    from open_clip.model import CLIP

    torch.manual_seed(seed)
    model = CLIP(**TINY)
    where.mkdir(parents=True, exist_ok=True)
    prepared = {"size": 64, "mean": list(clip.preprocess.__kwdefaults__["mean"]), "std": [0.27, 0.26, 0.28]}
    (where / "open_clip_config.json").write_text(
        json.dumps({"model_cfg": {**TINY, **config}, "preprocess_cfg": prepared})
    )
    torch.save(model.state_dict(), where / "open_clip_pytorch_model.bin")
    return where


def _read(encoder: str, answer: int | bytes = 2) -> Reading:
    photo = data.astronaut()
    views = [np.ascontiguousarray(photo[top : top + 200]) for top in (0, 100, 200, 300)]
    drawn = views[answer] if isinstance(answer, int) else answer
    protocol = open_protocol("state_matching", encoder=encoder)
    return read(protocol, drawn, media=[data.coffee()[:200, :512], *views], choices=list("ABCD"))


def test_local_weights_go_by_their_digest_whatever_their_path(folder: Path, tmp_path: Path) -> None:
    same, other = _saved(tmp_path / "same", 3), _saved(tmp_path / "other", 4)
    encoders = [get_encoder(f"local-dir:{place}") for place in (folder, same, other)]
    assert encoders[0].details == {"weights": "local", "weights_sha256": encoders[0].details["weights_sha256"]}
    assert len(encoders[0].details["weights_sha256"]) == 64
    assert re.fullmatch(r"local-clip@[0-9a-f]{12}", encoders[0].name)
    assert encoders[0].name == encoders[1].name != encoders[2].name
    # The same parameters under another activation make other vectors, so they are another encoder.
    quick = get_encoder(f"local-dir:{_saved(tmp_path / 'quick', 3, quick_gelu=True)}")
    assert quick.details == encoders[0].details
    assert quick.name != encoders[0].name


def test_a_reading_names_the_weights_that_stand_in_for_the_papers(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    readers = set()
    for place in (folder, _saved(tmp_path / "other", 4)):
        monkeypatch.setenv(clip.CLIP_VARIABLE, f"local-dir:{place}")
        found = _read("clip-vit-b-32")
        assert found.ok
        assert found.reader == f"deterministic:{get_encoder('clip-vit-b-32').name}"
        assert found.reader == _read(f"local-dir:{place}").reader
        assert found.evidence["numbers"]["choice"]["encoder"] == found.reader.removeprefix("deterministic:")
        # A refusal, and an answer that is no picture, were read by the same reader.
        assert _read("clip-vit-b-32", png(np.full((90, 90, 3), 7, np.uint8))).reader == found.reader
        assert _read("clip-vit-b-32", b"no picture").reader == found.reader
        readers.add(found.reader)
    assert len(readers) == 2
    assert "deterministic:clip-vit-b-32" not in readers


@pytest.fixture
def tiny_b32(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let a tiny architecture stand for ViT-B/32, and save two checkpoint files of it: one like OpenAI's archive."""
    open_clip = pytest.importorskip("open_clip")
    torch = pytest.importorskip("torch")
    from open_clip.model import CLIP

    (tmp_path / "provise-tiny.json").write_text(json.dumps(TINY))
    open_clip.add_model_config(tmp_path / "provise-tiny.json")
    monkeypatch.setattr(clip, "MODEL", "provise-tiny")
    torch.manual_seed(5)
    model = CLIP(**TINY).eval()
    torch.save(model.state_dict(), tmp_path / "mine.pt")
    mask = model._buffers.pop("attn_mask")  # a constant in their archive, not one of its parameters
    model.attn_mask = mask
    inputs = torch.zeros(1, 3, 64, 64), torch.zeros(1, 8, dtype=torch.long)
    torch.jit.trace(model, inputs, check_trace=False).save(tmp_path / "theirs.pt")
    return tmp_path


@pytest.mark.filterwarnings("ignore")
def test_only_openais_own_file_goes_by_the_papers_name(tiny_b32: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    published = hashlib.sha256((tiny_b32 / "theirs.pt").read_bytes()).hexdigest()
    monkeypatch.setenv(clip.CLIP_VARIABLE, str(tiny_b32 / "theirs.pt"))
    with pytest.raises(InputError, match="cannot be loaded"):  # an archive of unknown origin is code, and is not run
        get_encoder("clip-vit-b-32")
    monkeypatch.setattr(clip, "PAPER_FILE", published)
    theirs = get_encoder("clip-vit-b-32")
    assert (theirs.name, theirs.details["weights"]) == ("clip-vit-b-32", "openai")
    monkeypatch.setenv(clip.CLIP_VARIABLE, str(tiny_b32 / "mine.pt"))
    mine = get_encoder("clip-vit-b-32")
    assert mine.name.startswith("local-clip@")
    assert mine.details == {**theirs.details, "weights": "local"}


def test_the_papers_weights_are_named_without_being_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "open_clip", None)
    assert encoder_name("clip-vit-b-32") == "clip-vit-b-32"
    assert encoder_name("descriptor") == "descriptor"
    assert _read("clip-vit-b-32", b"no picture").reader == "deterministic:clip-vit-b-32"


def test_a_state_is_read_by_it_and_the_crop_of_long_pictures_is_noted(folder: Path) -> None:
    reading = _read(f"local-dir:{folder}")
    assert reading.prediction == "C"
    numbers = reading.evidence["numbers"]["choice"]
    assert numbers["side_loss"] == pytest.approx(1 - 200 / 512, abs=0.01)
    assert numbers["similarities"]["C"] == pytest.approx(1, abs=1e-5)


def test_without_open_clip_the_line_that_installs_it_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "open_clip", None)
    with pytest.raises(MissingDependencyError, match=r'pip install "provise\[clip\]"'):
        get_encoder("clip-vit-b-32")


def test_weights_that_cannot_be_had_are_told_with_the_way_to_get_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    open_clip = pytest.importorskip("open_clip")

    def unreachable(*_: object, **__: object) -> None:
        raise RuntimeError("Failed to download weights for tag 'openai'")

    monkeypatch.setattr(open_clip, "create_model", unreachable)
    with pytest.raises(InputError, match=r"Failed to download.*HF_HOME.*PROVISE_CLIP.*descriptor"):
        get_encoder("clip-vit-b-32")


@pytest.mark.parametrize("place", ["local-dir:/nowhere/at/all", "/nowhere/weights.pt", "laion2b"])
def test_a_place_that_is_not_there_is_refused_before_anything_is_fetched(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("open_clip")
    monkeypatch.setenv(clip.CLIP_VARIABLE, place)
    with pytest.raises(InputError, match="expected"):
        get_encoder("clip-vit-b-32")


def test_a_folder_with_broken_weights_is_refused(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "open_clip_config.json").write_text((folder / "open_clip_config.json").read_text())
    (tmp_path / "open_clip_pytorch_model.bin").write_bytes(b"cut off")
    with pytest.raises(InputError, match="cannot be loaded"):
        get_encoder(f"local-dir:{tmp_path}")


def test_an_unknown_encoder_is_refused_with_those_there_are() -> None:
    with pytest.raises(InputError, match=r"clip-vit-b-32, descriptor"):
        get_encoder("resnet")
