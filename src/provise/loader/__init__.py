"""Loaders: source benchmarks described in YAML, built into benchmark folders."""
