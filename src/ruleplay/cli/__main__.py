"""Let `python -m ruleplay.cli` be the command `ruleplay`."""

from ruleplay.cli import main

main()
