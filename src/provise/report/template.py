"""Pages in one file: texts are escaped, one style and one script are let in by their digest, data neither runs nor loads."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Mapping
from importlib.resources import files
from typing import Any

from provise.report.texts import clean

__all__ = ["data_block", "fill"]


def fill(name: str, style: str, script: str, filters: Mapping[str, Callable[..., Any]], **values: Any) -> str:
    """Fill a template of ``page/``.

    Parameters
    ----------
    name, style, script : str
        Files there; style and script are set into the page, and no others may run.
    filters : mapping
        For the template, beside ``clean``.
    **values
        What the template names; every text in them is escaped.

    Returns
    -------
    str
        The page; its policy forbids it to ask for anything outside.
    """
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    environment = Environment(
        loader=FunctionLoader(_source), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {**filters, "clean": clean}
    rules, code = _source(style), _source(script)
    policy = (
        f"default-src 'none'; img-src data:; style-src '{_digest(rules)}'; script-src '{_digest(code)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    page = environment.get_template(name).render(policy=policy, style=rules, script=code, **values)
    return page.encode("utf-8", "replace").decode()


def data_block(value: Any) -> str:
    """Return JSON that no text in it can end: the page's parser sees no angle bracket, no ampersand.

    Examples
    --------
    >>> data_block({"id": "</script>"})
    '{"id":"\\\\u003c/script\\\\u003e"}'
    """
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _source(name: str) -> str:
    return files("provise.report").joinpath("page", name).read_text("utf-8")


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
