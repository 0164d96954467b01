"""Figures for a paper or a slide: SVG, the same bytes for the same runs."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from provise.report.results import Results
from provise.report.texts import OUTCOME_NAMES, points, title

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["make_figures"]

INK, SOFT, BLUE = "#1c2430", "#8b95a3", "#1f5fa8"
SERIES: Mapping[str, tuple[str, str]] = {
    "correct": ("#2b7a5a", ""), "incorrect": ("#c8663c", "///"), "protocol_noncompliance": ("#e2b64a", "..."),
    "parser_failure": ("#7a5ca8", "xxx"), "generation_failure": ("#59636f", "\\\\\\"), "none": ("#ffffff", "---"),
}  # fmt: skip
"""Colour and hatch of each outcome."""
MARKS = "osD^v<>Php*X"
SETTINGS: Any = {
    "svg.hashsalt": "provise", "svg.fonttype": "none", "font.size": 9, "font.family": ["DejaVu Sans", "sans-serif"],
    "axes.spines.top": False, "axes.spines.right": False, "axes.edgecolor": SOFT, "text.color": INK,
    "axes.labelcolor": INK, "xtick.color": INK, "ytick.color": INK, "text.parse_math": False, "hatch.linewidth": 0.6,
    "axes.unicode_minus": True,
}  # fmt: skip


def make_figures(results: Results) -> dict[str, str]:
    """Draw the figures of a report.

    Parameters
    ----------
    results : Results
        Of `provise.report.results.compute`.

    Returns
    -------
    dict of str to str
        Name of the file -> SVG: overall, capabilities, tasks, outcomes, and pairs where there are any.
    """
    import matplotlib as mpl

    wanted: dict[str, Callable[[Results], Figure]] = {
        "overall": _overall, "capabilities": _capabilities, "tasks": _tasks, "outcomes": _outcomes,
    }  # fmt: skip
    if results.pairs:
        wanted["pairs"] = _pairs
    found = {}
    with mpl.rc_context(mpl.rcParamsDefault), mpl.rc_context(SETTINGS), warnings.catch_warnings():
        # A name in a script that the font lacks is written as text all the same, and the viewer has a font for it.
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        for name, draw in wanted.items():
            found[f"{name}.svg"] = _svg(draw(results))
    return found


def _svg(figure: Figure) -> str:
    out = io.StringIO()
    figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None}, bbox_inches="tight")
    return re.sub(r"[ \t]+$", "", out.getvalue(), flags=re.MULTILINE)


def _figure(width: float, height: float) -> tuple[Figure, Axes]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height))
    return figure, figure.subplots()


def _labels(results: Results) -> list[str]:
    return [_say(run.short_label) for run in results.runs]


def _say(text: str) -> str:
    return " ".join(text.split())


def _percent_axis(axes: Axes, label: str = "score, percent") -> None:
    axes.set_xlim(-2, 102)
    axes.set_xlabel(label)
    axes.grid(axis="x", color="#e3e7ec", linewidth=0.6)
    axes.set_axisbelow(True)


def _names(axes: Axes, names: Sequence[str]) -> None:
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)


def _dots(axes: Axes, parts: Sequence[Mapping[str, Any]], rows: Sequence[float], **style: Any) -> None:
    """Set a dot with its interval for each part that has a score."""
    known = [(part, row) for part, row in zip(parts, rows, strict=True) if part.get("score") is not None]
    for part, row in known:
        if part.get("low") is not None:
            axes.plot([part["low"], part["high"]], [row, row], color=style["color"], linewidth=1.4)
    axes.plot([p["score"] for p, _ in known], [row for _, row in known], linestyle="", **style)


def _overall(results: Results) -> Figure:
    """Draw the overall score of each run with its interval; of an incomplete one the mean of what is complete, hollow."""
    figure, axes = _figure(5.5, 0.9 + 0.32 * len(results.runs))
    for row, run in enumerate(results.runs):
        whole = run.summary["overall"]["score"] is not None
        part = run.summary["overall" if whole else "mean_of_tasks"]
        _dots(axes, [part], [row], color=BLUE, marker="o", markersize=6, markerfacecolor=BLUE if whole else "white")
        if part.get("score") is not None:
            axes.annotate(points(part["score"]), (part["score"], row), (0, 6), textcoords="offset points", ha="center")
    _names(axes, _labels(results))
    _percent_axis(axes, "overall score with its 95 % interval, percent")
    return figure


def _capabilities(results: Results) -> Figure:
    """Draw a capability profile: a row a capability, a mark a run."""
    names, runs = results.capabilities, results.runs
    figure, axes = _figure(6.5, 0.9 + len(names) * (0.35 + 0.14 * len(runs)))
    step = 0.8 / max(1, len(runs))
    for index, run in enumerate(runs):
        rows = [row - 0.4 + step * (index + 0.5) for row in range(len(names))]
        parts = [run.summary["capabilities"].get(name, {}) for name in names]
        colour = _colour(index, len(runs))
        _dots(
            axes, parts, rows, color=colour, marker=MARKS[index % len(MARKS)], markersize=5, label=_say(run.short_label)
        )
    _names(axes, [title(name) for name in names])
    _percent_axis(axes)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.9 / figure.get_figheight()), frameon=False, fontsize=8)
    return figure


def _colour(index: int, n: int) -> Any:
    import matplotlib as mpl

    return mpl.colormaps["viridis"](0.05 + 0.8 * index / max(1, n - 1))


def _tasks(results: Results) -> Figure:
    """Draw the heat map: a row a run, a column a task, the number in each cell."""
    tasks, runs = list(results.tasks), results.runs
    figure, axes = _figure(1 + 0.52 * len(tasks), 0.8 + 0.34 * len(runs))
    for row, run in enumerate(runs):
        for column, task in enumerate(tasks):
            _cell(axes, run.summary["tasks"].get(task, {}).get("score"), column, row)
    axes.set_xlim(-0.5, len(tasks) - 0.5)
    axes.set_xticks(range(len(tasks)), [title(task) for task in tasks], rotation=45, ha="left", rotation_mode="anchor")
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    _names(axes, _labels(results))
    return figure


def _cell(axes: Axes, score: float | None, column: int, row: int) -> None:
    import matplotlib as mpl
    from matplotlib.patches import Rectangle

    colour = "#ffffff" if score is None else mpl.colormaps["Blues"](0.05 + 0.85 * score / 100)
    hatch = "///" if score is None else None
    box = Rectangle((column - 0.5, row - 0.5), 1, 1, facecolor=colour, edgecolor="white", linewidth=1.2, hatch=hatch)
    axes.add_patch(box)
    ink = "white" if score is not None and score > 66 else INK
    axes.text(column, row, points(score), ha="center", va="center", color=ink, fontsize=8)


def _outcomes(results: Results) -> Figure:
    """Draw what answers came to: a bar a run, of one run a bar a task."""
    single = len(results.runs) == 1
    cells = results.attribution.by_task if single else results.attribution.by_system
    found = {
        (title(name) if single else label): cells[name]
        for name, label in zip(cells, _labels_of(results, single), strict=True)
    }
    figure, axes = _figure(7, 1.1 + 0.32 * len(found))
    for row, part in enumerate(found.values()):
        left, total = 0.0, part.n + part.unresolved
        for key, count in {**part.counts, "none": part.unresolved}.items():
            width = 100 * count / total
            colour, hatch = SERIES[key]
            axes.barh(row, width, 0.72, left, color=colour, hatch=hatch, edgecolor=INK, linewidth=0.4,
                      label=OUTCOME_NAMES[key][0] if row == 0 else None)  # fmt: skip
            if width >= 4:
                box = {"facecolor": "white", "edgecolor": "none", "pad": 1, "alpha": 0.85}
                axes.text(left + width / 2, row, str(count), ha="center", va="center", fontsize=7, bbox=box)
            left += width
    _names(axes, list(found))
    _percent_axis(axes, "answers, percent")
    axes.legend(loc="upper center", bbox_to_anchor=(0.45, -0.55 / figure.get_figheight()), ncols=6, frameon=False, fontsize=8,
                columnspacing=1, handlelength=1.4)  # fmt: skip
    return figure


def _labels_of(results: Results, single: bool) -> list[str]:
    return list(results.attribution.by_task) if single else _labels(results)


def _pairs(results: Results) -> Figure:
    """Draw the differences of all pairs, of many those with the highest run."""
    best = results.runs[0].name
    pairs = [p for p in results.pairs if len(results.pairs) <= 12 or best in (p.first.name, p.second.name)]
    figure, axes = _figure(6, 0.9 + 0.34 * len(pairs))
    for row, pair in enumerate(pairs):
        d = pair.overall
        axes.plot([d.low, d.high], [row, row], color=BLUE, linewidth=1.4)
        axes.plot([d.points], [row], marker="o", color=BLUE, markerfacecolor=BLUE if d.clear else "white")
        axes.annotate(points(d.points, sign=True), (d.points, row), (0, 6), textcoords="offset points", ha="center")
    axes.axvline(0, color=SOFT, linewidth=0.8)
    _names(axes, [f"{_say(pair.second.short_label)}\nminus {_say(pair.first.short_label)}" for pair in pairs])
    axes.set_xlabel("difference of the overall scores with its paired 95 % interval, points")
    return figure
