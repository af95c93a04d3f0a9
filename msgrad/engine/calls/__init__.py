"""How a whole call is run: recorded each time, or once for each signature; many as one launch; as a pure function."""
