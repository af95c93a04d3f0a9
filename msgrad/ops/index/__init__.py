"""Gathering, scattering, selecting and reducing by indices."""
