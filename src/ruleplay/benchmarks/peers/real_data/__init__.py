"""Hold the programs that run other classifiers on a fold; each is started as a script."""
