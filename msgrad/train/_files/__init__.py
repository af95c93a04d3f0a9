"""File formats of Parameters: encoding, encryption and atomic writing. Nothing here depends on networks."""
