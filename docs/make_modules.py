"""Write the `evaluate` modules: one folder each under metrics/, ready to be pushed as a Space.

    python docs/make_modules.py [--check]

Everything they say comes from src/provise/evaluation/modules.yaml. With --check nothing is written; exit code 1: a file is
not what it should be.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from provise.evaluation.about import module_names
from provise.evaluation.folder import module_files

METRICS = Path(__file__).parents[1] / "metrics"


def main() -> int:
    """Write the folders, or compare them."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--check", action="store_true", help="write nothing; fail where a file is not current")
    check = parser.parse_args().check
    stale = []
    for name in module_names():
        for file, text in module_files(name).items():
            path = METRICS / name / file
            if path.is_file() and path.read_text(encoding="utf-8") == text:
                continue
            stale.append(path)
            if not check:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8", newline="\n")
    for path in stale:
        print(f"{'not current' if check else 'written'}: {path.relative_to(METRICS.parent)}")
    return int(check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
