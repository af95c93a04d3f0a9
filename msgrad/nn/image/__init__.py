"""Layers over images: rearranging pixels, patches, resizing, similarity."""
