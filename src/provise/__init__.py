"""Score what an image model draws: visual answers to spatial questions, read and scored by the benchmark's own metric."""

__version__ = "0.1.0"
