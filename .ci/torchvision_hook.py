"""Let a torchvision wheel from the package index be imported beside a CPU build of torch.

Those wheels are CUDA builds. Without their compiled operators, importing torchvision stops at two operators whose
schemas it expects to find. Declaring the two schemas first is enough for its transforms, which is all that open_clip
needs; the operators themselves stay missing and nothing in this project calls them.

For continuous integration alone: `.ci/clip_env.sh` puts this file into a test environment, with a one-line .pth file
that imports it when Python starts. It does nothing until somebody imports torchvision.
"""

from __future__ import annotations

import importlib.abc
import importlib.util
import sys
from typing import Any

OPERATORS = ("nms", "qnms")
KEPT: list[Any] = []


class Finder(importlib.abc.MetaPathFinder):
    """Declare the schemas at the first import of torchvision, then step aside."""

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> None:
        if fullname != "torchvision":
            return
        sys.meta_path.remove(self)
        try:
            import torch
        except ImportError:
            return
        library = torch.library.Library("torchvision", "DEF")
        for name in OPERATORS:
            try:
                library.define(name + "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
            except RuntimeError:
                # A build that has the operator needs no help.
                continue
        # The schemas live as long as the object that declared them.
        KEPT.append(library)


sys.meta_path.insert(0, Finder())
