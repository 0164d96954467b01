"""Loaders: source benchmarks described in YAML, built into benchmark folders."""

from provise.loader.build import Built, build_benchmark
from provise.loader.schema import Loader, loader_names, open_loader

__all__ = ["Built", "Loader", "build_benchmark", "loader_names", "open_loader"]
