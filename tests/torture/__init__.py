"""Try to break ruleplay: damaged files, bad inputs, long runs, kills, full disks.

    PYTHONPATH=src:tests python -m torture quick    every part, minutes
    PYTHONPATH=src:tests python -m torture full     every part, hours; stop and start as you like

`part.py` says what a part is, `driver.py` runs it in child processes under a watchdog,
`table.py` counts what came out.
"""
