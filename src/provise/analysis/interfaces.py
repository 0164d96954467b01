"""Where does showing help: means of systems that answer through the same interface, task by task (paper, fig. 6)."""

from __future__ import annotations

from collections.abc import Mapping

from provise.errors import InputError

__all__ = ["group_means", "interface_gap"]


def group_means(scores: Mapping[str, Mapping[str, float]], groups: Mapping[str, str]) -> dict[str, dict[str, float]]:
    """Average systems of a kind, task by task.

    Parameters
    ----------
    scores : mapping of str to mapping of str to float
        System -> task -> score. All systems have the same tasks.
    groups : mapping of str to str
        System -> its kind, e.g. ``"text"`` or ``"visual"``.

    Returns
    -------
    dict
        Kind -> task -> mean over its systems, each counting once.

    Raises
    ------
    InputError
        If a system has no kind, or other tasks than the first.

    References
    ----------
    Fig. 6 a of the paper.

    Examples
    --------
    >>> group_means({"a": {"size": 80.0}, "b": {"size": 60.0}, "c": {"size": 50.0}},
    ...             {"a": "text", "b": "text", "c": "visual"})
    {'text': {'size': 70.0}, 'visual': {'size': 50.0}}
    """
    members: dict[str, list[Mapping[str, float]]] = {}
    first: Mapping[str, float] = next(iter(scores.values()), {})
    for system, tasks in scores.items():
        if system not in groups:
            raise InputError(f"no kind is given for {system!r}: say which interface it answers through")
        if set(tasks) != set(first):
            odd = ", ".join(sorted(set(tasks) ^ set(first)))
            raise InputError(f"{system!r} and the first system differ in {odd}: a mean needs the same tasks of all")
        members.setdefault(groups[system], []).append(tasks)
    return {kind: {task: sum(m[task] for m in group) / len(group) for task in first} for kind, group in members.items()}


def interface_gap(
    means: Mapping[str, Mapping[str, float]], *, visual: str = "visual", text: str = "text"
) -> dict[str, float]:
    """Return visual minus text for each task of `group_means`, in points: positive where showing helps (fig. 6).

    Raises
    ------
    InputError
        If one of the two kinds has no system.
    """
    if lost := [kind for kind in (visual, text) if kind not in means]:
        raise InputError(f"no {' and no '.join(lost)} system: there are {', '.join(means) or 'none'}")
    return {task: means[visual][task] - means[text][task] for task in means[visual]}
