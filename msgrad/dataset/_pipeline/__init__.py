"""The execution of pipelines: runs, random draws, workers, values; nothing here knows a particular dataset."""
