"""Hold the programs that run other libraries; each is started as a script, never imported."""
