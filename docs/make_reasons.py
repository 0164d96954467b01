"""Write docs/REASONS.md from the catalogue: python docs/make_reasons.py"""

from __future__ import annotations

from pathlib import Path

from provise.protocol import names, open_protocol

PAGE = Path(__file__).parent / "REASONS.md"

HEAD = """# Reason codes

Written by `docs/make_reasons.py` from the catalogue; what a code means for one protocol is in that protocol's YAML and in
`provise protocol show NAME`. A refused answer scores 0 and its outcome is `protocol_noncompliance`.

"""

TAIL = """
`size_evidence` and `feasibility_evidence` declare codes for an auxiliary reader that is not part of the package yet.

Codes that no protocol declares:

| outcome or error | codes |
|---|---|
| `generation_failure` | `empty`, `undecodable`, `truncated`, `too_large`: the answer is no picture; `no_image`: none was made |
| `protocol_noncompliance`, words | `empty`, `no_answer`, `ambiguous`, `truncated`, `non_finite`, `out_of_range`, \
`unknown_unit`, `missing_unit`, `not_integer`, `malformed`, `no_path`, `missing_aid`: a text that holds no answer |
| `parser_failure` | `reader_error`: the reader itself tripped; the message names step, operator and exception |
| `data_error` (no outcome) | `missing_aid`, `bad_aid`, `aid_outside`, `missing_source`, `bad_source`, \
`missing_media`, `bad_media`, `unsafe_path`, `missing_candidates`, `missing_mask`, `empty_mask`, `bad_truth`, `no_choices`: \
the benchmark's fault, never the model's |
"""


def page() -> str:
    """Return the page: a row a code, with the protocols that give it and what it means there."""
    found: dict[str, dict[str, list[str]]] = {}
    for name in names():
        for code, meaning in open_protocol(name).spec.invalid.items():
            found.setdefault(code, {}).setdefault(meaning, []).append(name)
    lines = ["| code | protocol | meaning |", "|---|---|---|"]
    for code, meanings in sorted(found.items()):
        lines += [f"| `{code}` | {', '.join(users)} | {meaning} |" for meaning, users in meanings.items()]
    return HEAD + "\n".join(lines) + "\n" + TAIL


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
