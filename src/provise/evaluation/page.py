"""A module's page: one drops an answer and a row, and sees what was read. Needs provise[space]."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any

from provise.errors import MissingDependencyError, ProviseError
from provise.evaluation.about import ModuleInfo, module_info
from provise.evaluation.single import Read, example, read_one

try:
    import gradio as gr
except ImportError as error:
    raise MissingDependencyError("the pages need gradio, which is not installed: pip install provise[space]") from error

__all__ = ["build_page"]

ROWS_HELP = "One line of the benchmark's JSONL file: the 13 fields."


@lru_cache(maxsize=1)
def _folder() -> TemporaryDirectory[str]:
    """Return where the page's pictures lie; it goes away with the program."""
    return TemporaryDirectory(prefix="provise-page-")


def _new_folder() -> Path:
    return Path(mkdtemp(dir=_folder().name))


def build_page(name: str) -> gr.Blocks:
    """Return the page of a module.

    Parameters
    ----------
    name : str
        One of `provise.evaluation.module_names`.

    Returns
    -------
    gradio.Blocks
        ``launch()`` serves it; its one call is also there for programs, as ``/read``.
    """
    about = module_info(name)
    with gr.Blocks(title=f"provise: {about.title}", analytics_enabled=False) as page:
        gr.Markdown(_intro(about))
        with gr.Row():
            with gr.Column():
                answer = gr.Image(label="Answer, drawn", type="filepath", image_mode=None, elem_id="answer", height=300)
                words = gr.Textbox(label="or in words", placeholder=about.example, elem_id="words")
                pictures = gr.File(
                    label="The question's picture, or pictures in their order",
                    file_count="multiple",
                    elem_id="pictures",
                )
                mask = gr.File(label="Target mask, where the row names one", elem_id="mask")
                row = gr.Textbox(label="Row", info=ROWS_HELP, lines=8, max_lines=16, elem_id="row")
                with gr.Row():
                    right = gr.Button("Example: a right answer", elem_id="right")
                    wrong = gr.Button("Example: a wrong answer", elem_id="wrong")
                read = gr.Button("Read", variant="primary", elem_id="read")
            with gr.Column():
                verdict = gr.Textbox(label="Outcome, and the question", interactive=False, lines=2, elem_id="verdict")
                seen = gr.Image(label="What the reader saw", interactive=False, elem_id="seen", format="jpeg")
                line = gr.JSON(label="Line of samples.jsonl", elem_id="line")
        given, shown = [answer, words, pictures, mask, row], [verdict, seen, line]
        read.click(_reader(name), given, shown, api_name="read")
        for button, is_right in ((right, True), (wrong, False)):
            button.click(_filler(name, is_right), None, given, api_name=False).then(
                _reader(name), given, shown, api_name=False
            )
    return page


def _intro(about: ModuleInfo) -> str:
    return (
        f"# {about.title}\n{about.asks} An answer is a picture – {about.drawn} – or words: {about.words}.\n\n"
        f"**Score.** {about.metric} **Limits.** {about.limits}"
    )


def _reader(name: str) -> Any:
    def read(
        answer: str | None, words: str | None, pictures: list[str] | None, mask: str | None, row: str | None
    ) -> tuple[str, str | None, Any]:
        try:
            found = read_one(
                name,
                row or "",
                answer=Path(answer) if answer else None,
                words=words or "",
                pictures=[Path(picture) for picture in pictures or ()],
                mask=Path(mask) if mask else None,
            )
        except ProviseError as error:
            return f"not read: {error}", None, None
        return f"{found.verdict}\n{found.question}", _kept(found), found.line

    return read


def _kept(found: Read) -> str | None:
    if found.evidence is None:
        return None
    path = _new_folder() / "seen.jpg"
    path.write_bytes(found.evidence)
    return str(path)


def _filler(name: str, right: bool) -> Any:
    def fill() -> tuple[str, str, list[str], str | None, str]:
        made = example(name, _new_folder(), right=right)
        return (
            str(made.answer), "", [str(picture) for picture in made.pictures], str(made.mask) if made.mask else None, made.row,
        )  # fmt: skip

    return fill
