"""The first thing a newcomer runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from provise.demo import main


def test_the_demo_reads_what_it_draws(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = main(tmp_path)
    text = page.read_text(encoding="utf-8")
    assert "http" not in text
    assert text.count("<figure>") == 9
    assert text.count("refused: ") == 6  # three refusals, each in the caption and in the picture's description
    assert all((tmp_path / name).stat().st_size > 5000 for name in ("01-instance_marking.jpg", "09-point_marker.jpg"))
    printed = capsys.readouterr().out
    assert "instance_marking     5" in printed
    assert "20 points, [0.199, 0.802] to [0.799, 0.249]" in printed
    assert "merged_marks" in printed
