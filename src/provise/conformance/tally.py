"""Counts of what was read right, refused and read wrong, with exact limits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from provise.errors import InputError

__all__ = ["Cell", "clopper_pearson", "pool"]


@dataclass(frozen=True)
class Cell:
    """Counts of one protocol under one degradation, or pooled.

    Attributes
    ----------
    protocol, part, name : str
        ``name`` is the degradation, the invalid rule, or ``all``.
    right, refused, wrong : int
        How many were read which way.
    other_reason : int
        Refusals of invalid drawings with a reason that was not expected.
    reasons : dict
        Reason code -> how often it was given.
    """

    protocol: str
    part: str
    name: str
    right: int = 0
    refused: int = 0
    wrong: int = 0
    other_reason: int = 0
    reasons: dict[str, int] = field(default_factory=dict)

    @property
    def n(self) -> int:
        """Number of answers."""
        return self.right + self.refused + self.wrong

    def share(self, verdict: str) -> float:
        """Return the share of one verdict; 0 where nothing was drawn."""
        return getattr(self, verdict) / self.n if self.n else 0.0

    def limits(self, verdict: str) -> tuple[float, float]:
        """Return the 95 % Clopper-Pearson limits of a share."""
        return clopper_pearson(getattr(self, verdict), self.n)

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values, shares and limits rounded to five places."""
        shares = {
            verdict: {
                "count": getattr(self, verdict),
                "share": round(self.share(verdict), 5),
                "limits": _rounded(self.limits(verdict)),
            }
            for verdict in ("right", "refused", "wrong")
        }
        more = {"other_reason": self.other_reason} if self.part == "invalid" else {}
        return {
            "protocol": self.protocol,
            "part": self.part,
            "name": self.name,
            "n": self.n,
            **shares,
            **more,
            "reasons": self.reasons,
        }


def clopper_pearson(successes: int, n: int, *, level: float = 0.95) -> tuple[float, float]:
    """Return the exact confidence limits of a share.

    Parameters
    ----------
    successes, n : int
        0 <= successes <= n; for n = 0 nothing is known and the limits are 0 and 1.
    level : float
        Confidence.

    References
    ----------
    C. J. Clopper and E. S. Pearson, Biometrika 26 (1934), 404-413.

    Examples
    --------
    >>> [round(v, 4) for v in clopper_pearson(995, 1000)]
    [0.9884, 0.9984]
    """
    if not 0 <= successes <= n or not 0 < level < 1:
        raise InputError(f"{successes} of {n} at level {level}: expected 0 <= successes <= n and a level within 0..1")
    from scipy.stats import beta

    tail = (1 - level) / 2
    low = 0.0 if successes == 0 else float(beta.ppf(tail, successes, n - successes + 1))
    high = 1.0 if successes == n else float(beta.ppf(1 - tail, successes + 1, n - successes))
    return low, high


def pool(protocol: str, part: str, group: Sequence[Cell]) -> Cell:
    """Return the sum of several cells."""
    reasons: Counter[str] = Counter()
    for cell in group:
        reasons.update(cell.reasons)
    return Cell(
        protocol,
        part,
        "all",
        right=sum(cell.right for cell in group),
        refused=sum(cell.refused for cell in group),
        wrong=sum(cell.wrong for cell in group),
        other_reason=sum(cell.other_reason for cell in group),
        reasons=dict(sorted(reasons.items())),
    )


def _rounded(pair: tuple[float, float]) -> list[float]:
    return [round(value, 5) for value in pair]
