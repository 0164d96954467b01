"""The checks of a benchmark, a family a module: fields, truths, aids, media, and what only all rows together show.

Every check takes an `Entry` and yields ``(level, code, message)``; none of them stops another.
"""
