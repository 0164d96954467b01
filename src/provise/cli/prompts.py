"""``provise prompts``: write what a model is to be given, for people who generate elsewhere."""

from __future__ import annotations

from pathlib import Path

import typer

__all__ = ["prompts"]


def prompts(
    benchmark: str = typer.Option(
        ..., "--benchmark", "-b", help="A benchmark folder, hf:NAMESPACE/NAME[@REVISION], or synth: the built-in one."
    ),
    out: Path = typer.Option(..., "--out", "-o", help="The JSONL file to write."),
    route: str = typer.Option("", "--route", help="A route by name, or a YAML file [default: the benchmark's own]."),
    set_: list[str] = typer.Option(
        [], "--set", help="task=protocol (or task=FILE.yaml), or protocol.setting=value; again for more."
    ),
    tasks: str = typer.Option("", "--tasks", help="Only these tasks: counting,depth."),
    limit: int = typer.Option(
        0, "--limit", min=0, help="At most so many samples of each task, in file order; 0 is all."
    ),
) -> None:
    """Write the prompts, to generate answers anywhere.

    A row a sample: id, file (the name to save the answer under, without ending), prompt, images (relative to the
    benchmark's folder), size (width, height of the first), protocol, fingerprint. Exit code 1: samples were left out.
    """
    import json

    from provise.benchmark import open_benchmark
    from provise.errors import InputError
    from provise.protocol.catalogue import sibling
    from provise.protocol.route import open_route
    from provise.runs.prompts import prompt_rows
    from provise.runs.select import select

    if out.is_dir():
        raise InputError(f"--out {out} is a folder; give the JSONL file to write")
    opened = open_benchmark(benchmark)
    chosen = select(opened.samples, tasks, limit)
    used = open_route(route or opened.route, set_)
    rows, problems = prompt_rows(chosen, used, opened.root)
    problems = [*(str(problem) for problem in opened.problems if problem.level == "error"), *problems]
    for problem in problems:
        typer.echo(f"left out: {problem}", err=True)
    for task in dict.fromkeys(sample.task for sample in chosen):
        protocol = used.protocol(task)
        if protocol.spec.auxiliary:
            # Better known before the answers are made than after.
            other = sibling(protocol.id)
            typer.echo(
                f"note: {task} is asked by {protocol.id}, whose answers take an auxiliary model to read, which is not "
                f"part of this package; --set {task}={other} asks for what can be read", err=True,
            )  # fmt: skip
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    typer.echo(f"{len(rows)} prompts in {out}; save each answer as <file>.png in one folder, then: provise score")
    if problems:
        raise typer.Exit(1)
