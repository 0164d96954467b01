"""Typed operators, a file a family; see `provise.ops.registry` for what an operator is."""
