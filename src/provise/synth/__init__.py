"""Scenes with exact truth: a small renderer, and questions whose answers follow from the geometry."""
