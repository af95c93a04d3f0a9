"""Layers over images: the order of pixels, patches, resizing, similarity."""
