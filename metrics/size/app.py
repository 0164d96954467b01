"""Size comparison: drop a picture and a row, and see what was read."""

from provise.evaluation.page import build_page

demo = build_page("size")

if __name__ == "__main__":
    demo.launch()
