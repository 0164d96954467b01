"""``provise doctor``: what is installed, and what each verb still needs."""

from __future__ import annotations

import typer

__all__ = ["doctor"]

NEEDS = (
    (
        "core",
        "reading and scoring",
        ("numpy", "opencv-python-headless", "scikit-image", "pillow", "pydantic", "pyyaml"),
        "",
    ),
    (
        "ocr",
        "numbers read by OCR in trajectory_endpoint, where asked for: --set trajectory_endpoint.numbers=rapidocr "
        "(the built-in digit reader is the default, installed or not)",
        ("rapidocr", "onnxruntime"),
        "provise[ocr]",
    ),
    ("hub", "the evaluate modules, and datasets on the Hub", ("datasets", "evaluate", "huggingface_hub"), ""),
    ("space", "the pages of the modules (metrics/NAME/app.py)", ("gradio",), "provise[space]"),
    ("clip", "state_matching with the paper's encoder, clip-vit-b-32", ("open_clip_torch", "torch"), "provise[clip]"),
)


def doctor(json_: bool = typer.Option(False, "--json", help="Print JSON.")) -> None:
    """Say what is installed and what is still needed for what."""
    import json
    import platform
    from importlib.metadata import PackageNotFoundError, version

    def installed(name: str) -> str | None:
        try:
            return version(name)
        except PackageNotFoundError:
            return None

    found = {group: {name: installed(name) for name in names} for group, _, names, _ in NEEDS}
    if json_:
        typer.echo(json.dumps({"python": platform.python_version(), **found}))
        return
    typer.echo(f"python {platform.python_version()}")
    for group, purpose, _, extra in NEEDS:
        absent = [name for name, got in found[group].items() if got is None]
        typer.echo(f"{group}: {purpose}")
        typer.echo("  " + ", ".join(f"{name} {got or 'is not installed'}" for name, got in found[group].items()))
        if absent:
            typer.echo(f'  to install: pip install "{extra or "provise"}"')
    typer.echo("size_evidence, feasibility_evidence: need an auxiliary vision-language model; none is configured")
