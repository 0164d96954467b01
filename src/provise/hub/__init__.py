"""Benchmarks on the Hugging Face Hub: the tree that is pushed, pushing it, and opening it again."""
