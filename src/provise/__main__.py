"""``python -m provise``."""

from provise.cli import main

main()
