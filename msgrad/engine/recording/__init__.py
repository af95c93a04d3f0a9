"""How operations are recorded: an open recording, its segments, and the closed Program."""
