"""Runs: answers in, rows, summary and evidence out."""
