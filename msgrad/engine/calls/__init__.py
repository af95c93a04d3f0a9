"""Whole calls: recorded each time or once for each signature, many in one launch, or as a pure function."""
