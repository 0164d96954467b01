"""Pictures and masks: every distinct file is decoded once, then each row is held to what was found."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from provise.benchmark.checks.entry import Entry, Found
from provise.benchmark.paths import resolve_media
from provise.benchmark.tasks import metric_of
from provise.errors import DataError, ImageError, InputError

__all__ = ["Probe", "check_mask", "check_media", "named_media", "probe_all"]

SMALLEST = 32
"""Pixels of the shorter side below which a picture looks like a stand-in."""

FLAT_SPREAD = 8
FLAT_SHARE = 0.995
"""A picture is flat if all its levels lie this close, or if one colour covers this share of it."""

WORKERS = 2


@dataclass(frozen=True)
class Probe:
    """What decoding one file told.

    Parameters
    ----------
    code, message : str
        Why it is no picture; empty where it is one.
    size : tuple of int
        Width and height.
    pixels : str
        Digest of size and pixels: equal for files that show the same.
    placeholder : str
        Why it looks like a stand-in; empty where it does not.
    """

    code: str = ""
    message: str = ""
    size: tuple[int, int] = (0, 0)
    pixels: str = ""
    placeholder: str = ""


def probe(path: Path) -> Probe:
    """Decode one file."""
    from provise.image import decode

    if not path.is_file():
        return Probe("missing_media", "there is no such file")
    try:
        picture = decode(path.read_bytes())
    except OSError as error:
        return Probe("missing_media", f"the file cannot be read ({error.strerror})")
    except ImageError as error:
        return Probe("undecodable_media", f"{error} [{error.code}]")
    digest = hashlib.sha256(str((picture.rgb.shape, picture.rgb.dtype)).encode())
    digest.update(picture.rgb.tobytes())
    if picture.alpha is not None:
        digest.update(picture.alpha.tobytes())
    return Probe(size=picture.size, pixels=digest.hexdigest(), placeholder=_placeholder(picture.rgb))


def _placeholder(rgb: object) -> str:
    import numpy as np

    pixels = np.asarray(rgb)
    height, width = pixels.shape[:2]
    if min(height, width) < SMALLEST:
        return f"it is {width}x{height}; the shorter side of a picture has {SMALLEST} pixels or more"
    # A grid of 128x128 pixels tells a flat picture as well as all of them.
    few = pixels[:: max(1, height // 128), :: max(1, width // 128)].reshape(-1, 3).astype(np.int64)
    middle = np.median(few, axis=0)
    share = float((np.abs(few - middle).max(axis=1) <= FLAT_SPREAD / 2).mean())
    if share >= FLAT_SHARE and float(pixels.std()) < FLAT_SPREAD:
        return f"{share:.1%} of it is one colour, {tuple(int(v) for v in middle)}"
    return ""


def named_media(entry: Entry) -> dict[str, str]:
    """Return the pictures a row names, each with the field that names it first; the mask is apart."""
    sample = entry.sample
    named: dict[str, str] = {}
    lists = [("image_path", [sample.image_path]), ("media_paths", sample.media_paths)]
    lists += [(aid, sample.metadata.get(aid)) for aid in ("images", "file_names")]  # type: ignore[misc]
    for field, paths in lists:
        if field in entry.broken or not isinstance(paths, list | tuple):
            continue
        for path in paths:
            if isinstance(path, str):
                named.setdefault(path, field)
    if sample.mask_path:
        named.pop(sample.mask_path, None)
    return named


def probe_all(entries: Iterable[Entry], root: Path) -> dict[str, Probe]:
    """Decode every distinct file that rows name, two at a time; an unsafe path becomes a probe with its reason."""
    probes: dict[str, Probe] = {}
    wanted: dict[str, Path] = {}
    for path in dict.fromkeys(name for entry in entries for name in named_media(entry)):
        try:
            wanted[path] = resolve_media(root, path)
        except InputError as error:
            probes[path] = Probe("unsafe_path", str(error).removeprefix("media path: "))
    distinct = list(dict.fromkeys(wanted.values()))
    with ThreadPoolExecutor(WORKERS) as pool:
        found = dict(zip(distinct, pool.map(probe, distinct), strict=True))
    return probes | {path: found[file] for path, file in wanted.items()}


def check_media(entry: Entry, probes: Mapping[str, Probe]) -> Found:
    """Yield pictures of a row that leave the root, are missing or cannot be decoded, and slips in their lists."""
    sample = entry.sample
    for path, field in named_media(entry).items():
        found = probes[path]
        if found.code:
            yield "error", found.code, f"{field} {path!r}: {found.message}"
    if sample.image_path not in sample.media_paths and not entry.broken & {"image_path", "media_paths"}:
        yield "warning", "primary_not_listed", f"media_paths does not list the primary picture {sample.image_path!r}"
    if sample.mask_path and sample.mask_path in sample.media_paths:
        yield (
            "warning",
            "mask_among_media",
            f"media_paths lists the mask {sample.mask_path!r}: the model must not see it",
        )
    shown = [probes[path].pixels for path in sample.media_paths if path in probes and probes[path].pixels]
    if len(set(shown)) < len(shown):
        yield "warning", "repeated_picture", "two of the row's own pictures show the same pixels"


def check_mask(entry: Entry, probes: Mapping[str, Probe]) -> Found:
    """Yield a target mask that is missing, unsafe, no picture, empty, full, or of another size than its picture."""
    sample = entry.sample
    if entry.broken & {"mask_path", "answer", "image_path"}:
        return
    asked = metric_of(sample.task, sample.answer_type.strip().lower()) in ("mask_precision", "point_in_mask")
    if not asked and not sample.mask_path:
        return
    from provise.target_mask import picture_size
    from provise.truth import load_truth

    try:
        mask_file = resolve_media(sample.root or Path(), sample.mask_path) if sample.mask_path else None
    except InputError as error:
        yield "error", "unsafe_path", f"mask_path {str(error).removeprefix('media path: ')}"
        return
    picture = probes.get(sample.image_path, Probe("missing_media"))
    if picture.code:
        return  # without its picture a mask has no grid; that is reported already
    try:
        target = load_truth(sample, "mask_precision").value
        size = picture_size(mask_file) if mask_file else picture.size
    except DataError as error:
        yield "error", error.code, f"mask {sample.mask_path!r}: {error}"
        return
    if size != picture.size:
        yield (
            "warning",
            "mask_size",
            f"mask {sample.mask_path!r} is {size[0]}x{size[1]}, its picture {picture.size[0]}x{picture.size[1]}; "
            "it is brought to the picture's grid by nearest neighbour",
        )
    if target.all():
        yield "warning", "full_mask", f"mask {sample.mask_path!r} marks every pixel: every answer is right"
