"""`python -m ruleplay` is the command `ruleplay`."""

from ruleplay.cli import main

main()
