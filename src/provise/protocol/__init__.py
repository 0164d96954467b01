"""Protocols: how a model is told to draw its answer, and the graph of operators that reads it."""

from provise.protocol.catalogue import names, open_protocol
from provise.protocol.compile import Protocol, compile_protocol, load_protocol

__all__ = ["Protocol", "compile_protocol", "load_protocol", "names", "open_protocol"]
