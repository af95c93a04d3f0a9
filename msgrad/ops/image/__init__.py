"""Images: boxes, colors, patches, sampling and resizing."""
