"""The draughtsman draws what it is told, in the style it is told, and nothing else."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provise.draw import Style, draw, draw_invalid, invalid_rules, make_board, protocols, tinted, wrong_truth
from provise.draw.regions import DEPTH_STEP, grey
from provise.errors import InputError

TRUTHS = {
    "binary_relation": True,
    "direction_grid": "back-right",
    "dual_measure": "B",
    "fixed_slots": "C",
    "instance_marking": 7,
    "placement_outline": False,
    "point_marker": [0.3, 0.6],
    "region_mask": None,
    "relative_depth": "A",
    "state_matching": "B",
    "trajectory_drawing": None,
    "trajectory_endpoint": {"index": 3, "count": 5},
}


def photo(seed: int = 0, size: tuple[int, int] = (320, 240)) -> np.ndarray:
    """Return smooth, colourful noise: no pixel of a pure colour."""
    rng = np.random.default_rng(seed)
    small = rng.integers(60, 190, (6, 8, 3), dtype=np.uint8)
    return np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_CUBIC))


def views(n: int = 4) -> list[np.ndarray]:
    return [photo(seed + 10) for seed in range(n)]


def drawn(protocol: str, seed: int = 0, style: Style | None = None, **aids: object):
    if protocol == "state_matching":
        aids.setdefault("candidates", views())
    return draw(protocol, photo(), TRUTHS[protocol], style, np.random.default_rng(seed), **aids)


def changed(image: np.ndarray) -> np.ndarray:
    return (image != photo()).any(axis=2)


def exactly(image: np.ndarray, rgb: tuple[int, int, int]) -> np.ndarray:
    return (image == np.array(rgb)).all(axis=2)


def pieces(mask: np.ndarray) -> int:
    return cv2.connectedComponents(mask.astype(np.uint8))[0] - 1


def test_every_protocol_here_has_a_truth_to_draw() -> None:
    assert sorted(TRUTHS) == protocols()


@pytest.mark.parametrize("protocol", sorted(TRUTHS))
def test_the_same_generator_draws_the_same_pixels_and_leaves_the_photo_alone(protocol: str) -> None:
    before = photo()
    first, second = drawn(protocol, 5), drawn(protocol, 5)
    assert np.array_equal(first.image, second.image)
    assert np.array_equal(before, photo())
    assert first.image.dtype == np.uint8
    assert first.image.shape == before.shape


@pytest.mark.parametrize("protocol", sorted(TRUTHS))
def test_a_wrong_truth_is_another_and_can_be_drawn(protocol: str) -> None:
    right = drawn(protocol)
    truth = right.region if protocol == "region_mask" else TRUTHS[protocol] or right.expected
    rng = np.random.default_rng(3)
    wrong = wrong_truth(protocol, truth, rng, candidates=views())
    picture = draw(protocol, photo(), wrong, None, rng, candidates=views())
    assert not np.array_equal(np.asarray(wrong, dtype=object), np.asarray(truth, dtype=object))
    assert not np.array_equal(picture.image, right.image)


@given(
    n=st.integers(1, 50),
    shape=st.sampled_from(["star", "disc"]),
    size=st.floats(0.015, 0.08),
    seed=st.integers(0, 10**6),
)
@settings(max_examples=30, deadline=None)
def test_as_many_separate_marks_as_asked(n: int, shape: str, size: float, seed: int) -> None:
    style = Style(size=size, shape=shape)
    canvas = np.zeros((480, 640, 3), np.uint8)
    image = draw("instance_marking", canvas, n, style, np.random.default_rng(seed)).image
    assert pieces(image[..., 1] > 0) == n


def test_marks_go_where_they_are_sent() -> None:
    spots = [[0.2, 0.3], [0.7, 0.6]]
    image = draw("instance_marking", photo(), 2, Style(size=0.05), np.random.default_rng(0), points=spots).image
    for x, y in spots:
        assert image[int(y * 240), int(x * 320)].tolist() == [0, 255, 0]


def test_no_instance_is_drawn_as_no_mark_and_expects_a_refusal() -> None:
    drawing = draw("instance_marking", photo(), 0, None, np.random.default_rng(0))
    assert not changed(drawing.image).any()
    assert drawing.expected is None


@pytest.mark.parametrize(("x", "y"), [(0.5, 0.5), (0.31, 0.62), (0.85, 0.2)])
def test_the_disc_lies_round_its_point_with_the_asked_diameter(x: float, y: float) -> None:
    image = draw("point_marker", photo(), [x, y], Style(size=0.08), np.random.default_rng(0)).image
    rows, columns = np.nonzero(exactly(image, (0, 255, 255)))
    assert np.hypot(columns.mean() + 0.5 - x * 320, rows.mean() + 0.5 - y * 240) < 0.3
    assert np.sqrt(4 * changed(image).sum() / np.pi) == pytest.approx(0.08 * 320, abs=1.5)


@pytest.mark.parametrize(
    ("letter", "n", "box"),
    [
        ("A", 4, (0, 0, 0.28, 0.28)),
        ("B", 4, (0.72, 0, 1, 0.28)),
        ("C", 4, (0, 0.72, 0.28, 1)),
        ("D", 4, (0.72, 0.72, 1, 1)),
        ("B", 3, (1 / 3, 0.82, 2 / 3, 1)),
        ("F", 6, (5 / 6, 0.82, 1, 1)),
    ],
)
def test_the_square_stays_inside_its_slot(letter: str, n: int, box: tuple[float, ...]) -> None:
    for seed in range(5):
        image = draw("fixed_slots", photo(), letter, Style(size=0.06), np.random.default_rng(seed), choices=n).image
        rows, columns = np.nonzero(changed(image))
        assert box[0] * 320 - 1 <= columns.min() <= columns.max() <= box[2] * 320
        assert box[1] * 240 - 1 <= rows.min() <= rows.max() <= box[3] * 240


@pytest.mark.parametrize(
    ("label", "cell"),
    [
        ("front", (2, 1)),
        ("back", (0, 1)),
        ("left", (1, 0)),
        ("right", (1, 2)),
        ("front-left", (2, 0)),
        ("back-right", (0, 2)),
    ],
)
@pytest.mark.parametrize("shape", ["photo", "canvas", "square"])
def test_front_is_below_back_above_left_and_right_are_the_pictures(
    label: str, cell: tuple[int, int], shape: str
) -> None:
    image = draw("direction_grid", photo(), label, Style(shape=shape), np.random.default_rng(0)).image
    rows, columns = np.nonzero(exactly(image, (0, 0, 255)))
    assert (int(rows.mean() * 3 / 240), int(columns.mean() * 3 / 320)) == cell


@pytest.mark.parametrize("truth", ["A", "B"])
@pytest.mark.parametrize("given", [None, [[0.2, 0.2], [0.8, 0.7]]])
def test_the_nearer_location_is_brighter_by_the_stated_step(truth: str, given: list[list[float]] | None) -> None:
    aids = {} if given is None else {"coordinates": given}
    drawing = draw("relative_depth", photo(), truth, None, np.random.default_rng(2), **aids)
    assert given is None or drawing.aids["coordinates"] == given
    a, b = (float(drawing.image[int(y * 240), int(x * 320), 0]) for x, y in drawing.aids["coordinates"])
    assert (a - b if truth == "A" else b - a) >= DEPTH_STEP - 4
    assert np.array_equal(drawing.image, grey(drawing.image))


def test_a_false_relation_is_the_photo_in_grey_and_a_grey_photo_has_none() -> None:
    drawing = draw("binary_relation", photo(), False, None, np.random.default_rng(0))
    assert np.array_equal(drawing.image, grey(photo()))
    assert drawing.expected is False
    assert draw("binary_relation", grey(photo()), False, None, np.random.default_rng(0)).expected is None


def test_a_translucent_overlay_blends_by_its_opacity() -> None:
    subject, other = np.zeros((240, 320), bool), np.zeros((240, 320), bool)
    subject[20:100, 20:100], other[120:200, 200:300] = True, True
    style = Style(opacity=0.4)
    image = draw("binary_relation", photo(), True, style, np.random.default_rng(0), subject=subject, object=other).image
    expected = 0.6 * photo()[50, 50] + 0.4 * np.array([0, 255, 0])
    assert np.abs(image[50, 50] - expected).max() <= 0.5
    expected = 0.6 * photo()[150, 250] + 0.4 * np.array([0, 0, 255])
    assert np.abs(image[150, 250] - expected).max() <= 0.5


def test_a_mask_is_drawn_as_given_white_on_black() -> None:
    region = np.zeros((240, 320), bool)
    region[40:90, 100:180] = True
    drawing = draw("region_mask", photo(), region, None, np.random.default_rng(0))
    assert np.array_equal(drawing.image[..., 0] > 127, region)
    assert np.array_equal(drawing.region, region)


@given(seed=st.integers(0, 10**6), curved=st.booleans())
@settings(max_examples=40, deadline=None)
def test_a_path_stays_inside_and_never_crosses_itself(seed: int, curved: bool) -> None:
    shapely = pytest.importorskip("shapely")
    style = Style(stroke=0.01, shape="curve" if curved else "line")
    drawing = draw("trajectory_drawing", photo(), None, style, np.random.default_rng(seed), start=[0.4, 0.5])
    path = np.array(drawing.expected)
    assert path.min() >= 0
    assert path.max() <= 1
    assert path[0].tolist() == pytest.approx([0.4, 0.5])
    assert shapely.LineString(path).is_simple


def test_given_vertices_are_followed() -> None:
    vertices = [[0.1, 0.2], [0.5, 0.2], [0.5, 0.8]]
    drawing = draw("trajectory_drawing", photo(), vertices, Style(stroke=0.02), np.random.default_rng(0))
    for x, y in drawing.expected:
        assert drawing.image[min(int(y * 240), 239), int(x * 320)].tolist() == [255, 0, 0]
    assert drawing.aids["start"] == [0.1, 0.2]


@pytest.mark.parametrize("layout", ["boxes", "discs"])
@pytest.mark.parametrize("count", [3, 7, 12])
def test_the_circle_lies_round_its_hole(layout: str, count: int) -> None:
    board = make_board(np.random.default_rng(1), count, size=(800, 900), layout=layout)
    for index in (1, count):
        drawing = draw(
            "trajectory_endpoint",
            board.image,
            {"index": index, "count": count},
            None,
            np.random.default_rng(2),
            board=board,
        )
        x0, y0, x1, y1 = board.holes[index - 1]
        rows, columns = np.nonzero(exactly(drawing.image, (0, 0, 255)))
        assert x0 - 1 <= columns.min() <= columns.max() <= x1 + 1
        assert y0 - 1 <= rows.min() <= rows.max() <= y1 + 1
        assert drawing.aids["holes"] == count
        assert exactly(drawing.image, (255, 255, 0)).sum() > 200


@pytest.mark.parametrize("truth", ["A", "B"])
def test_the_truths_bar_is_the_longer(truth: str) -> None:
    for seed in range(6):
        image = draw("dual_measure", photo(), truth, Style(stroke=0.01), np.random.default_rng(seed)).image
        lengths = []
        for rgb in ((255, 0, 255), (0, 255, 255)):
            points = np.argwhere(exactly(image, rgb)).astype(np.float32)
            lengths.append(max(cv2.minAreaRect(points)[1]))
        assert (lengths[0] > 1.15 * lengths[1]) if truth == "A" else (lengths[1] > 1.15 * lengths[0])


def test_bars_run_between_given_ends_and_a_wrong_answer_swaps_them() -> None:
    ends = [[[0.2, 0.2], [0.8, 0.3]], [[0.5, 0.6], [0.5, 0.8]]]
    for truth, longer in (("A", (255, 0, 255)), ("B", (0, 255, 255))):
        image = draw("dual_measure", photo(), truth, Style(stroke=0.01), np.random.default_rng(0), bars=ends).image
        assert tuple(image[60, 160]) == longer
        assert (image[168, 160] == [255 - longer[0], 255 - longer[1], 255]).all()


def test_stars_on_close_places_do_not_touch() -> None:
    places = [[0.4, 0.5], [0.45, 0.5], [0.8, 0.2]]
    image = draw("instance_marking", photo(), 3, Style(size=0.08), np.random.default_rng(0), points=places).image
    stars = (image == [0, 255, 0]).all(axis=2).astype(np.uint8)
    assert cv2.connectedComponents(stars)[0] - 1 == 3


def test_bars_span_given_boxes() -> None:
    boxes = [[0.1, 0.1, 0.5, 0.2], [0.7, 0.3, 0.8, 0.9]]
    image = draw("dual_measure", photo(), "B", Style(stroke=0.01), np.random.default_rng(0), boxes=boxes).image
    columns = np.nonzero(exactly(image, (255, 0, 255)))[1]
    rows = np.nonzero(exactly(image, (0, 255, 255)))[0]
    assert np.ptp(columns) == pytest.approx(0.4 * 320, abs=5)
    assert np.ptp(rows) == pytest.approx(0.6 * 240, abs=5)


def test_collisions_cross_the_outline_and_a_fitting_thing_has_none() -> None:
    outline = [[0.3, 0.3], [0.6, 0.3], [0.6, 0.7], [0.3, 0.7]]
    fits = draw("placement_outline", photo(), True, None, np.random.default_rng(0), outline=outline).image
    assert not exactly(fits, (255, 0, 0)).any()
    for seed in range(5):
        image = draw("placement_outline", photo(), False, None, np.random.default_rng(seed), outline=outline).image
        red = exactly(image, (255, 0, 0))
        thing = np.zeros(red.shape, bool)
        thing[72:168, 96:192] = True
        assert (red & thing).any()
        assert (red & ~thing).any()


def test_a_redrawn_view_is_like_its_candidate_and_no_copy() -> None:
    image = drawn("state_matching").image
    apart = [float(np.abs(image.astype(int) - view).mean()) for view in views()]
    assert int(np.argmin(apart)) == 1
    assert apart[1] > 0.5


@pytest.mark.parametrize("protocol", sorted(TRUTHS))
def test_every_protocol_has_invalid_drawings_that_say_why(protocol: str) -> None:
    assert {"source", "blank"} <= set(invalid_rules(protocol))
    for name in invalid_rules(protocol):
        aids = {"candidates": views()} if protocol == "state_matching" else {}
        drawing = draw_invalid(protocol, name, photo(), None, np.random.default_rng(1), **aids)
        assert drawing.expected is None
        assert drawing.reasons, name
        assert drawing.image.shape == photo().shape


def test_a_drifted_colour_keeps_its_hue_in_opencvs_half_degrees() -> None:
    for colour, hue in (("green", 60), ("cyan", 90), ("blue", 120), ("magenta", 150)):
        rgb = np.uint8([[tinted(colour, Style(hue=3, saturation=0.95))]])
        h, s, _ = cv2.cvtColor(rgb, cv2.COLOR_RGB2HSV)[0, 0]
        assert int(h) == pytest.approx(hue + 3, abs=1)
        assert int(s) == pytest.approx(0.95 * 255, abs=2)


def test_yellow_drifts_towards_orange_only() -> None:
    assert tinted("yellow", Style(hue=4)) == tinted("yellow", Style(hue=-4))
    assert tinted("yellow", Style(hue=4))[1] < 255


def test_soft_edges_fade_and_hard_ones_do_not() -> None:
    canvas = np.zeros((200, 200, 3), np.uint8)
    fading = [
        int(((image[..., 1] > 8) & (image[..., 1] < 247)).sum())
        for softness in (0, 2)
        for image in [
            draw("point_marker", canvas, [0.5, 0.5], Style(size=0.3, softness=softness), np.random.default_rng(0)).image
        ]
    ]
    assert fading[1] > 2 * fading[0]


@given(seed=st.integers(0, 10**6))
def test_sampled_styles_keep_to_the_certificates_ranges(seed: int) -> None:
    style = Style.sample(np.random.default_rng(seed))
    assert 0.015 <= style.size <= 0.08
    assert 0.005 <= style.stroke <= 0.03
    assert 0.7 <= style.opacity <= 1
    assert 0 <= style.softness <= 2
    assert abs(style.hue) <= 4


@pytest.mark.parametrize(
    ("protocol", "truth"),
    [
        ("instance_marking", -1),
        ("instance_marking", True),
        ("point_marker", [1.2, 0.5]),
        ("fixed_slots", "E"),
        ("direction_grid", "up"),
        ("direction_grid", ""),
        ("binary_relation", "true"),
        ("relative_depth", "C"),
        ("region_mask", np.zeros((240, 320), bool)),
        ("region_mask", np.ones((10, 10), bool)),
        ("trajectory_drawing", [[0.5, 0.5]]),
        ("trajectory_drawing", [[0.5, 0.5], [float("nan"), 0.1]]),
        ("trajectory_endpoint", {"index": 6, "count": 5}),
        ("dual_measure", "C"),
        ("placement_outline", 1),
        ("state_matching", "A"),
    ],
)
def test_a_truth_of_another_kind_is_refused(protocol: str, truth: object) -> None:
    with pytest.raises(InputError):
        draw(protocol, photo(), truth, None, np.random.default_rng(0))


def test_unknown_names_and_pictures_are_refused_with_what_there_is() -> None:
    rng = np.random.default_rng(0)
    with pytest.raises(InputError, match="point_marker"):
        draw("point", photo(), [0.5, 0.5], None, rng)
    with pytest.raises(InputError, match="two_points"):
        draw_invalid("point_marker", "three_points", photo(), None, rng)
    with pytest.raises(InputError, match="uint8"):
        draw("point_marker", photo().astype(float), [0.5, 0.5], None, rng)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="style opacity"):
        Style(opacity=1.5)
    with pytest.raises(InputError, match="do not fit"):
        draw("instance_marking", np.zeros((32, 32, 3), np.uint8), 200, Style(size=0.5), rng)
