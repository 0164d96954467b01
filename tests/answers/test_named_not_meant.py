"""What a text names and does not mean: denied letters and numbers, bounds, reasons, hedges; and what is plain beside them."""

import pytest

from provise.answers import CoordinateSystem, read_text
from provise.metrics.quantities import to_centimetres

ABCD = ("A", "B", "C", "D")
LR = ("left", "right")
COLOURS = ("red", "green", "blue")
CLOSER = ("A is closer", "B is closer")
YN = ("yes", "no")
NUMBERS = ("2", "3", "4", "5")


def outcome(text, kind, choices=(), **more):
    answer = read_text(text, kind, choices=choices, **more)
    assert (answer.prediction is None) == bool(answer.reason) == bool(answer.message)
    return None if answer.prediction is None else answer.prediction


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("C is correct, since A and B are hidden", "C"), ("D is the best answer because B is cropped", "D"),
        ("The answer cannot be A; it must be D.", "D"), ("It can't be A or B, so it's C", "C"), ("C instead of A", "C"),
        ("It could be A, but I am going with C", "C"), ("A and B are wrong; C fits", "C"), ("A it is.", "A"),
        ("A: too far\nB: hidden\nC: visible\nD: cropped\n\nC", "C"), ("A) no\nB) no\nC) yes\nD) no", None), ("A: B", None),
        ("it is b", "B"), ("option b is right", "B"), ("<ANSWER>c</ANSWER>", "C"), ("答えはBです。", "B"), ("정답은 D입니다", "D"),
        ("The wrong answer is A", None), ("The incorrect option is B", None), ("The wrong answer is A. The right one: C", "C"),
        ("Answer: A? No, B.", "B"), ("Answer: A? Or B?", None), ("the C-clamp is nearer", None), ("B.C.", None), ("D&D", None), ("a U.S.A. flag", None),
        ("I am not sure that B is correct", None), ("A is right of the cup", "A"), ("B is the right one", "B"),
        ("Both A and C look right, but the answer has to be C.", "C"), ("A:0.1 B:0.9", None), ("N/A", None), ("A rather than B", "A"),
        ("Everything except A", None), ("all but B", None), ("no B here", None), ("without B", None), ("A\nB", None), ("image b", "B"),
        ("答案是是B", "B"),
    ],
)  # fmt: skip
def test_letters(text, expected):
    assert outcome(text, "choice", ABCD) == expected


@pytest.mark.parametrize(
    ("text", "choices", "expected"),
    [
        ("It isn't on the left", LR, None), ("no, left", LR, "A"), ("not on the left but on the right", LR, "B"),
        ("no red", COLOURS, None), ("It isn't red. It's green.", COLOURS, "B"), ("blue rather than red", COLOURS, "C"),
        ("Answer: green because the red one is hidden", COLOURS, "B"), ("It is green, since the red one is hidden", COLOURS, "B"),
        ("Point B is farther, so point A is closer.", CLOSER, "A"), ("B is farther away", CLOSER, None),
        ("A is nearer", CLOSER, "A"), ("Yes, there is no doubt", YN, "A"), ("no idea", YN, None), ("there is no cup", YN, None),
        ("I have no idea", (*YN, "cannot tell"), None), ("1.5m", ("1.5 m", "15 m", "5 m"), "A"), ("about 5m", ("1.5 m", "5 m"), "B"),
        ("B. A chair", ("chair", "table"), None), ("table, since the chair is hidden", ("chair", "table"), "B"),
        ("It is no longer above; it is below", ("above", "below"), "B"), ("not directly above", ("above", "below"), None),
        ("10", ("10 cups", "20 cups"), "A"), ("more than 10", ("10", "20"), None), ("back-left", ("front", "front-left", "left"), None),
        ("left front", ("front", "front-left", "left"), "B"), ("in the back left corner", LR, "A"),
    ],
)  # fmt: skip
def test_texts_of_options(text, choices, expected):
    assert outcome(text, "choice", choices) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("more than 5", None), ("fewer than five", None), ("<5", None), ("≥ 5", None), ("5+", None), ("at least 5", None),
        ("more than 3; I count 5", 5), ("not 5", None), ("not 5 but 6", 6), ("Answer: not 4", None), ("5, not 6", 5),
        ("half a dozen", 6), ("half a million", 500_000), ("There are none.", 0), ("There is no way to tell", None),
        ("3*4", None), ("2 + 2", None), ("3×4=12", 12), ("3 + 4 = 7 cups.", 7), ("3 red and 4 blue, 7 in total", 7),
        ("3 cups and 4 plates in total", None), ("Row 1 has 3, row 2 has 4, total 7", 7), ("1. red\n2. green\nSo 2.", 2),
        ("Answer: 3 red, 4 blue", None), ("Answer: 7 dice, 3 red and 4 blue", 7), ("1 000", 1000), ("1e-3", None),
        ("50 %", None), ("5\\%", None), ("5 percent", None), ("5²", None), ("²", None), ("\\boxed{1{,}200}", 1200),
        ("GPT-4", None), ("COVID-19 poster beside 6 cups", 6),
        ("Answer: 14 (7 + 7)", 14), ("Answer: two. One is hidden.", 2), ("Answer: two, one of them hidden", 2), ("Answer: two, three", None),
        ("one more than 5", None), ("twice 5", None), ("5 and a half", None), ("five percent", None), ("> 5", None),
    ],
)  # fmt: skip
def test_numbers(text, expected):
    assert outcome(text, "integer") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("not sure if true", None), ("It is unclear whether it is true", None), ("Is it true?", None), ("half true", None),
        ("true if the cup is red", None), ("no one knows", None), ("No comment", None), ("no it is not", False),
        ("It is anything but true", False), ("By no means is it true", False), ("It fails to be true", False),
        ("It could hardly be true", False), ("是的", True), ("錯", False), ("If you look closely, it is true", True),
        ("unlikely to be true", None), ("$\\neg$ true", False), ("~true", False), ("答案是：是", True), ("答案：是", True),
    ],
)  # fmt: skip
def test_booleans(text, expected):
    assert outcome(text, "boolean") is expected


@pytest.mark.parametrize(
    ("text", "kind", "choices", "expected"),
    [
        ("A) 3", "integer", NUMBERS, None), ("B) 3", "integer", NUMBERS, 3), ("A. no", "boolean", YN, None),
        ("C. left", "direction", ("front", "back", "right", "left"), None), ("D. left", "direction", ("front", "back", "right", "left"), "left"),
        ("forward left", "direction", (), "front-left"), ("behind left", "direction", (), "back-left"),
        ("It isn't facing left; it's facing right.", "direction", (), "right"), ("not facing the camera", "direction", (), None),
        ("the opposite of left", "direction", (), None),
    ],
)  # fmt: skip
def test_letters_against_values_and_directions(text, kind, choices, expected):
    assert outcome(text, kind, choices) == expected


@pytest.mark.parametrize(
    ("text", "choices", "expected"),
    [
        ("Option B is correct.", YN, False), ("option a is correct", YN, True), ("A is correct, since B is hidden", ("no", "yes"), False),
        ("C is correct", ABCD, None), ("It is correct", YN, True), ("Option B is not correct", YN, None),
    ],
)  # fmt: skip
def test_what_is_correct_is_the_option(text, choices, expected):
    assert outcome(text, "boolean", choices) is expected


def test_holes():
    assert outcome("the second hole from the right", "endpoint", count=7) is None
    assert outcome("not 5", "endpoint", count=7) is None
    assert outcome("5th hole from the left", "endpoint", count=7) == {"index": 5, "count": 7}


@pytest.mark.parametrize(
    ("text", "centimetres"),
    [
        ("3 m 50", 350), ("1.2±0.1 m", 120), ("1.2 m ± 10 cm", 120), ("between 1.5 and 2 m", None), ("less than 2 m", None),
        ("just over 2 m", 200), ("more than 1 m; I would say 1.8 m", 180), ("not 3 m but 2 m", 200), ("3 m/s", None),
        ('{"unit": "cm", "value": 12}', 12), ('{"distance": 3.5, "unit": "m"}', 350), ("5 feet 10 1/2 inches", 179.07),
        ("10 x 20 cm", None), ("2 × 10² cm", 200), ("10^2 cm", None),
        ("1.7 by 0.5 m", None), ("2 m or more", None), ("2 m+", None), ("> 2 m", None), ("2 M&Ms", None),
    ],
)  # fmt: skip
def test_lengths(text, centimetres):
    found = outcome(text, "measurement")
    length = None if found is None else to_centimetres(found["value"], found["unit"])
    assert length == (None if centimetres is None else pytest.approx(centimetres))


@pytest.mark.parametrize("text", ["【0.2，0.4】", "(0.2、0.4)", "⟨0.2, 0.4⟩"])
def test_points_in_other_brackets(text):
    assert outcome(text, "point") == [0.2, 0.4]


@pytest.mark.parametrize("coords", ["1 1 200 400 2 600", "1 1 200 400 2", "x 200 400", "1 nan 2"])
def test_an_index_without_its_point(coords):
    assert (
        outcome(f'<points coords="{coords}">cups</points>', "points", coordinates=CoordinateSystem("per_mille")) is None
    )
