"""Process-wide settings, below the layers: ``jit``, devices, seeds, parallel modes; streams and cores are hints."""
