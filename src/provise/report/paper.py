"""A run on the 470-row release beside the results that the paper printed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from provise.analysis.published import Published, PublishedSystem, published_results
from provise.errors import InputError
from provise.report.runs import LoadedRun
from provise.report.tables import Cell, Table
from provise.report.texts import title

__all__ = ["CHECKED", "Standing", "beside_paper", "paper_table"]

_READERS: Mapping[str, tuple[str, ...]] = {
    "size": ("auxiliary", "vlm"),
    "prediction": ("auxiliary", "vlm"),
    "feasibility": ("auxiliary", "vlm"),
    "navigation": ("deterministic:clip-vit-b-32",),
}
"""How the name of the paper's own reader of a task begins; ``deterministic`` for the others (E.4, table 8)."""

_KINDS = {"image": "visual", "text": "text"}

CHECKED = (
    "Checked of each run: that its 14 tasks have the release's numbers of samples and capabilities, and that its ids begin "
    "as the release's do. No digest of the release is published, so that the pictures and questions are the same ones is "
    "not checked."
)
"""What is known of a run that stands beside the paper, and what is not; said on the page and in the table."""


@dataclass(frozen=True)
class Standing:
    """One row: a published system, or a run.

    Attributes
    ----------
    name : str
        As printed, or the run's.
    interface : str
        ``human``, ``text`` or ``visual``.
    notes : tuple of str
        Of a run: its own, and each reader other than the paper's. Empty for what was published.
    overall : float or None
        Percent.
    interval : tuple of float, optional
        95 %; the paper printed none for people.
    capabilities, tasks : mapping of str to float or None
        Percent.
    is_run : bool
        Whether it was run here.
    """

    name: str
    interface: str
    notes: tuple[str, ...]
    overall: float | None
    interval: tuple[float, float] | None
    capabilities: Mapping[str, float | None] = field(default_factory=dict)
    tasks: Mapping[str, float | None] = field(default_factory=dict)
    is_run: bool = False

    @property
    def label(self) -> str:
        """The name with its notes."""
        return f"{self.name} [{'; '.join(self.notes)}]" if self.notes else self.name


def beside_paper(runs: Sequence[LoadedRun]) -> tuple[Standing, ...]:
    """Set runs among the paper's 31 systems and Human, the highest overall score first.

    Parameters
    ----------
    runs : sequence of LoadedRun
        Each of the whole release, as far as numbers and names tell (see `CHECKED`).

    Returns
    -------
    tuple of Standing
        Runs without an overall score last.

    Raises
    ------
    InputError
        If a run has other tasks, other numbers of samples, or other names than the release.
    """
    paper = published_results()
    for run in runs:
        _require_release(run, paper)
    rows = [*(_published(system) for system in paper.systems), *(_run(run) for run in runs)]
    return tuple(sorted(rows, key=lambda row: (row.overall is None, -(row.overall or 0.0))))


def paper_table(rows: Sequence[Standing]) -> Table:
    """Return the rows as a table."""
    paper = published_results()
    names = list(dict.fromkeys(paper.capabilities.values()))
    head = ("system", "interface", "overall", "low", "high", *map(title, names), *map(title, paper.sizes))
    body: list[tuple[Cell, ...]] = []
    for row in rows:
        low, high = row.interval or (None, None)
        parts = [row.capabilities.get(name) for name in names] + [row.tasks.get(task) for task in paper.sizes]
        body.append((row.label, row.interface + (", run here" if row.is_run else ""), row.overall, low, high, *parts))
    source = paper.source.split(",")[0]
    caption = f"Beside the results of {source}, in percent; those are its own readings of its own answers. {CHECKED}"
    return Table("paper", caption, head, tuple(body))


def _require_release(run: LoadedRun, paper: Published) -> None:
    """Refuse what cannot be the whole release, by what is checked (`CHECKED`): sizes, capabilities, beginnings of ids."""
    paper.require_benchmark({name: task["n"] for name, task in run.summary["tasks"].items()})
    odd = [r for r in run.rows if r.capability != paper.capabilities[r.task]]
    if odd:
        raise InputError(
            f"{run.name}: {odd[0].id!r:.60} ({odd[0].task}) has the capability {odd[0].capability!r:.40} and not "
            f"{paper.capabilities[odd[0].task]}: only a run of SpatialGen-Bench can stand beside the published results"
        )
    strange = [r.id for r in run.rows if not r.id.startswith(f"{paper.capabilities[r.task]}_{r.task}_")]
    if strange:
        raise InputError(
            f"{run.name}: {strange[0]!r:.60} is no id of SpatialGen-Bench (they go capability_task_number): only a run of "
            "that release can stand beside the published results"
        )


def _published(system: PublishedSystem) -> Standing:
    scores = dict(system.aggregates)
    overall = scores.pop("overall")
    return Standing(
        system.name, system.interface, (), overall, system.intervals.get("overall"), scores, dict(system.tasks)
    )


def _run(run: LoadedRun) -> Standing:
    whole = run.summary["overall"]
    ends = (whole["low"], whole["high"]) if whole.get("low") is not None else None
    parts = {name: part["score"] for name, part in run.summary["capabilities"].items()}
    tasks = {name: part["score"] for name, part in run.summary["tasks"].items()}
    notes = (*run.notes, *_other_readers(run))
    return Standing(run.name, _KINDS[run.interface], notes, whole["score"], ends, parts, tasks, is_run=True)


def _other_readers(run: LoadedRun) -> list[str]:
    """Name the tasks that the paper read with another kind of reader, or through another protocol."""
    from provise.protocol.route import open_route

    if run.interface == "text":
        return []
    route = open_route("spatialgen-bench", [])
    protocols = {row.task: row.protocol for row in run.rows}
    found = []
    for task, reader in run.readers.items():
        due = _READERS.get(task, ("deterministic",))
        if protocols[task] != route.protocol(task).id:
            found.append(f"{title(task)} by {protocols[task]}")
        elif not (reader.startswith(due) if task in _READERS else reader in due):
            found.append(f"{title(task)} by {reader}")
    return [f"not the paper's reader: {', '.join(found)}"] if found else []
