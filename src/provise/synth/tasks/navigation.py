"""Navigation: the view one has after turning and walking as told; four views from true cameras, one of them right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from provise.encoders.descriptor import describe
from provise.synth.camera import Camera
from provise.synth.furniture import PALETTE, put
from provise.synth.item import Item, Level, Maker, evenly
from provise.synth.pieces import RGB
from provise.synth.places import colour_of, light, meadow, room
from provise.synth.render import Thing, look, views

__all__ = ["APART", "MAKER", "Pose", "moved"]

SIZE = (360, 270)
_VIEW = 76.0
APART = 0.8
"""Greatest cosine of two candidates' descriptors: what looks more alike is no fair choice."""


@dataclass(frozen=True)
class Pose:
    """Where one stands, and the compass heading one looks in, in degrees clockwise from +y."""

    x: float
    y: float
    heading: float

    @property
    def ahead(self) -> npt.NDArray[np.float64]:
        """Unit vector of the heading."""
        turn = np.radians(self.heading)
        return np.array([np.sin(turn), np.cos(turn)])


Step = tuple[str, float]
"""``("turn", degrees to the right)``, ``("walk", metres ahead)``, ``("side", metres to the right)``, or ``("round",
degrees)`` about the landmark."""
Action = tuple[Step, ...]


def moved(pose: Pose, action: Action, landmark: tuple[float, float]) -> Pose:
    """Return where one gets by an action.

    A step ``round`` leads about the landmark, to the right where it is above 0, and ends looking at it.

    Examples
    --------
    >>> moved(Pose(0, 0, 90), (("turn", -90), ("walk", 2)), (0, 5))
    Pose(x=0.0, y=2.0, heading=0)
    """
    for kind, amount in action:
        right = np.array([pose.ahead[1], -pose.ahead[0]])
        if kind == "turn":
            pose = Pose(pose.x, pose.y, (pose.heading + amount) % 360)
        elif kind in ("walk", "side"):
            x, y = np.array([pose.x, pose.y]) + amount * (pose.ahead if kind == "walk" else right)
            pose = Pose(round(float(x), 9), round(float(y), 9), pose.heading)
        else:
            # Walking to the right about what lies ahead is anticlockwise seen from above.
            a = np.radians(amount)
            dx, dy = pose.x - landmark[0], pose.y - landmark[1]
            x, y = dx * np.cos(a) - dy * np.sin(a) + landmark[0], dx * np.sin(a) + dy * np.cos(a) + landmark[1]
            heading = float(np.degrees(np.arctan2(landmark[0] - x, landmark[1] - y))) % 360
            pose = Pose(float(x), float(y), heading)
    return pose


def _both(kind: str, *amounts: float) -> list[Action]:
    return [((kind, sign * amount),) for amount in amounts for sign in (-1.0, 1.0)]


ABOUT: Action = (("turn", 180.0),)
"""The one action after which nothing is seen that was seen before: it is told from the others by that."""
_WALK: Action = (("walk", 1.5),)
_ROUND = [*_both("round", 90.0), (("round", 180.0),)]
_ACTIONS: dict[Level, list[Action]] = {
    "easy": [*_both("turn", 45.0), ABOUT, _WALK, *_ROUND],
    "medium": [*_both("turn", 40.0), ABOUT, _WALK, *_both("side", 1.8), *_ROUND, *_both("round", 45.0)],
    "hard": [
        *_both("turn", 30.0),
        *_both("side", 1.5),
        *_ROUND,
        *_both("round", 45.0, 135.0),
        *[(("turn", s * 40.0), ("walk", 1.5)) for s in (-1, 1)],
        *[(("round", s * 90.0), ("turn", t * 35.0)) for s in (-1, 1) for t in (-1, 1)],
    ],
}
"""What may be told; the wrong views come from the same list. All but one keep in sight what was seen before: the right
view can be told from it, or from which side of the landmark, which has a front, is seen."""
_CIRCLE = {45.0: "an eighth of a circle", 90.0: "a quarter of a circle", 135.0: "three eighths of a circle"}


def _told(action: Action, name: str) -> str:
    """Return an action in words."""
    steps = []
    for kind, amount in action:
        side = "right" if amount > 0 else "left"
        if kind == "turn":
            steps.append(
                f"turn {abs(amount):.0f} degrees to the {side}"
                if abs(amount) < 180
                else "turn right round, by 180 degrees"
            )
        elif kind == "walk":
            steps.append(f"walk {amount:g} metres straight ahead")
        elif kind == "side":
            steps.append(f"step {abs(amount):g} metres sideways to the {side} without turning")
        elif abs(amount) == 180:
            steps.append(f"walk half way round the {name}, to its other side, and look at it from there")
        else:
            steps.append(
                f"walk {_CIRCLE[abs(amount)]} round the {name}, setting off to your {side}, and look at it again"
            )
    return ", then ".join(steps)


@dataclass(frozen=True)
class _Place:
    """Things to be seen, where one stands, what stands ahead, and which places one can stand at."""

    things: list[Thing]
    pose: Pose
    landmark: str
    at: tuple[float, float]
    reach: tuple[float, float]
    eye: float


def _colour(rng: np.random.Generator) -> RGB:
    names = [name for name in PALETTE if name not in ("black", "grey")]
    return colour_of(rng, PALETTE[names[int(rng.integers(len(names)))]])


def _indoors(rng: np.random.Generator) -> _Place:
    half = (float(rng.uniform(5.0, 5.8)), float(rng.uniform(5.0, 5.8)))
    things = room(rng, half)
    pieces = [
        "sofa",
        "wardrobe",
        "chest of drawers",
        "fridge",
        "television",
        "shelf",
        "bed",
        "door",
        "window",
        "picture",
        "clock",
        "door",
    ]
    order = [pieces[int(i)] for i in rng.permutation(len(pieces))]
    deep = {"door": 0.06, "window": 0.06, "picture": 0.06, "clock": 0.06, "bed": 0.65, "sofa": 0.5}
    for k, model in enumerate(order):
        wall, slot = k % 4, (-2.7, 0.1, 2.7)[k // 4] + float(rng.uniform(-0.3, 0.3))
        x, y = [(slot, half[1]), (half[0], slot), (slot, -half[1]), (-half[0], slot)][wall]
        gap = deep.get(model, 0.4)
        x, y = (x - np.sign(x) * gap, y) if wall % 2 else (x, y - np.sign(y) * gap)
        things.append(
            put(model, f"{model} {k}", (float(x), float(y)), yaw=180.0 - 90.0 * wall, colour=_colour(rng), scale=1.1)
        )
    name = ("chair", "robot", "dog", "car")[int(rng.integers(4))]
    at = (float(rng.uniform(-0.3, 0.3)), float(rng.uniform(-0.3, 0.3)))
    scale = {"robot": 0.9, "dog": 1.2, "car": 0.7, "chair": 1.15}[name]
    things.append(put(name, name, at, yaw=float(rng.uniform(0, 360)), scale=scale, colour=_colour(rng)))
    pose = _facing(rng, at, 2.9)
    return _Place(things, pose, name, at, (half[0] - 1.5, half[1] - 1.5), 1.5)


def _outdoors(rng: np.random.Generator) -> _Place:
    things = meadow(rng)
    models = [
        "house",
        "tower",
        "round tree",
        "fir tree",
        "house",
        "round tree",
        "fir tree",
        "tower",
        "house",
        "round tree",
    ]
    start = float(rng.uniform(0, 360))
    for k, i in enumerate(rng.permutation(len(models))):
        model = models[int(i)]
        turn = np.radians(start + 360 * (k + float(rng.uniform(-0.25, 0.25))) / len(models))
        far = float(rng.uniform(7.0, 13.0))
        x, y = far * float(np.sin(turn)), far * float(np.cos(turn))
        tree = "tree" in model
        colour = ((92, 124, 74), (112, 134, 70), (80, 108, 78))[int(rng.integers(3))] if tree else _colour(rng)
        # Fronts look to the middle, more or less.
        yaw = 180.0 - float(np.degrees(turn)) + float(rng.uniform(-40, 40))
        things.append(put(model, f"{model} {k}", (x, y), yaw=yaw, scale=float(rng.uniform(0.9, 1.3)), colour=colour))
    name = ("bench", "car", "robot", "dog", "chair")[int(rng.integers(5))]
    at = (float(rng.uniform(-0.5, 0.5)), float(rng.uniform(-0.5, 0.5)))
    things.append(put(name, name, at, yaw=float(rng.uniform(0, 360)), scale=1.2, colour=_colour(rng)))
    return _Place(things, _facing(rng, at, 3.6), name, at, (5.0, 5.0), 1.6)


def _facing(rng: np.random.Generator, at: tuple[float, float], far: float) -> Pose:
    turn = float(rng.uniform(0, 2 * np.pi))
    x, y = at[0] - far * float(np.sin(turn)), at[1] - far * float(np.cos(turn))
    return Pose(x, y, float(np.degrees(turn)))


def _allowed(place: _Place, pose: Pose) -> bool:
    clear = np.hypot(pose.x - place.at[0], pose.y - place.at[1]) > 1.2
    return bool(clear and abs(pose.x) <= place.reach[0] and abs(pose.y) <= place.reach[1])


def _chosen(rng: np.random.Generator, place: _Place, level: Level) -> list[tuple[Action, Pose]] | None:
    """Return four actions, the right one first, that lead to places where one can stand."""
    found: list[tuple[Action, Pose]] = []
    actions = _ACTIONS[level]
    for i in rng.permutation(len(actions)):
        pose = moved(place.pose, actions[int(i)], place.at)
        if _allowed(place, pose):
            found.append((actions[int(i)], pose))
        if len(found) == 4:
            return found if _tellable(place, found) else None
    return None


def _tellable(place: _Place, found: list[tuple[Action, Pose]]) -> bool:
    """Tell whether what one sees now says which view is right.

    That shows something of it; or, after a turn right round, every other one does.
    """
    now = _shown(place, place.pose)
    shares = [bool(now & _shown(place, pose)) for _, pose in found]
    return all(shares[1:]) if found[0][0] == ABOUT else shares[0]


def _shown(place: _Place, pose: Pose) -> set[int]:
    """Return the things, walls and ground apart, that fill a hundredth of a view or more."""
    camera = _camera(pose, place.eye)
    counts = np.bincount(look(Camera(camera.eye, camera.target, (64, 48), _VIEW), place.things).thing.ravel() + 1)
    return {
        i for i, thing in enumerate(place.things)
        if not thing.name.startswith("_") and i + 1 < len(counts) and counts[i + 1] >= 0.01 * 64 * 48
    }  # fmt: skip


def _camera(pose: Pose, eye: float) -> Camera:
    x, y = np.array([pose.x, pose.y]) + 3 * pose.ahead
    return Camera((pose.x, pose.y, eye), (float(x), float(y), eye - 0.22), SIZE, _VIEW)


def make(wanted: str, rng: np.random.Generator, level: Level) -> Item | None:
    """Return a question whose right candidate has the wanted letter."""
    outdoors = bool(rng.random() < 0.5)
    place = _outdoors(rng) if outdoors else _indoors(rng)
    chosen = _chosen(rng, place, level)
    if chosen is None:
        return None
    order = [1, 2, 3]
    order.insert("ABCD".index(wanted), 0)
    sun = light(rng, indoors=not outdoors)
    poses = [place.pose, *(chosen[i][1] for i in order)]
    cameras = [_camera(pose, place.eye) for pose in poses]
    pictures, seen = list[Any](), list[npt.NDArray[np.float64]]()
    for picture in views(cameras, place.things, sun):
        pictures.append(picture)
        # One pair too like each other is enough to draw another place.
        seen.append(describe(picture))
        if any(float(seen[-1] @ other) > APART for other in seen[:-1]):
            return None
    told = _told(chosen[0][0], place.landmark)
    question = (
        f"The first picture is what you see now, facing the {place.landmark}. You {told}. "
        "Which of the four other pictures, A to D in their order, shows what you then see?"
    )
    facts: dict[str, Any] = {
        "pose": place.pose, "action": chosen[0][0], "landmark": place.at, "cameras": cameras, "things": place.things,
        "eye": place.eye,
    }  # fmt: skip
    choices = ("view A", "view B", "view C", "view D")
    return Item(
        question, wanted, "choice", tuple(pictures), choices, metadata={"file_names": [0, 1, 2, 3, 4]}, facts=facts
    )


def _answers(n: int, rng: np.random.Generator, level: Level) -> list[str]:
    return evenly("ABCD", n, rng)


MAKER = Maker("navigation", _answers, make)
