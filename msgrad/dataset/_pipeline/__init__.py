"""The execution of pipelines: runs, random draws, workers, values; independent of particular datasets."""
