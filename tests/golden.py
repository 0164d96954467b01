"""Write the kept readings anew: ``python -m tests.golden``, after the version of what changed was raised."""

from __future__ import annotations

import json
from pathlib import Path

from tests.golden_cases import readings

STORE = Path(__file__).parent / "golden" / "readings.json"

if __name__ == "__main__":
    STORE.parent.mkdir(exist_ok=True)
    STORE.write_text(json.dumps(readings(), indent=1, sort_keys=True) + "\n", encoding="utf-8")
    print(f"{STORE.name}: written")
