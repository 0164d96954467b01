"""The CLIP encoder through its real loading path, on a tiny model with random weights made here."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from skimage import data

from provise.encoders import clip, get_encoder
from provise.errors import InputError, MissingDependencyError
from provise.protocol import open_protocol
from provise.reading import read

TINY = {
    "embed_dim": 32,
    "vision_cfg": {"image_size": 64, "layers": 2, "width": 64, "head_width": 32, "patch_size": 16},
    "text_cfg": {"context_length": 8, "vocab_size": 64, "width": 32, "heads": 2, "layers": 1},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as open_clip saves it: configuration and weights."""
    pytest.importorskip("open_clip")
    torch = pytest.importorskip("torch")
    from open_clip.model import CLIP

    torch.manual_seed(3)
    model = CLIP(**TINY)
    where = tmp_path_factory.mktemp("tiny_clip")
    prepared = {"size": 64, "mean": list(clip.preprocess.__kwdefaults__["mean"]), "std": [0.27, 0.26, 0.28]}
    (where / "open_clip_config.json").write_text(json.dumps({"model_cfg": TINY, "preprocess_cfg": prepared}))
    torch.save(model.state_dict(), where / "open_clip_pytorch_model.bin")
    return where


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


def test_a_local_model_goes_by_its_own_name_and_digest(folder: Path) -> None:
    encoder = get_encoder(f"local-dir:{folder}")
    assert encoder.name == f"local-dir:{folder}"
    assert encoder.details["weights"] == "local"
    assert len(encoder.details["weights_sha256"]) == 64


def test_the_variable_names_local_weights_and_the_evidence_tells(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(clip.CLIP_VARIABLE, f"local-dir:{folder}")
    encoder = get_encoder("clip-vit-b-32")
    assert encoder.name == "clip-vit-b-32"
    assert encoder.details["weights"] == "local"


def test_a_state_is_read_by_it_and_the_crop_of_long_pictures_is_noted(folder: Path) -> None:
    photo = data.astronaut()
    views = [np.ascontiguousarray(photo[top : top + 200]) for top in (0, 100, 200, 300)]
    protocol = open_protocol("state_matching", encoder=f"local-dir:{folder}")
    reading = read(protocol, views[2], media=[data.coffee()[:200, :512], *views], choices=list("ABCD"))
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
