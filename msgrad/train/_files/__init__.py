"""Files of Parameters: how they are laid out, sealed and written; nothing here knows networks."""
