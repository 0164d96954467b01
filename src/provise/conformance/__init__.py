"""How well the readers read: drawn answers on real photos, degraded, read, counted."""
