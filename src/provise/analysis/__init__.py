"""Numbers over many rows."""
