"""How pipelines run: runs, random draws, workers, values; nothing here knows what a particular dataset does."""
