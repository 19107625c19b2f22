"""Mechanisms beyond the paper that the study could not justify, kept so that it can be run again.

Each is a component like any other: its settings, its kernels and what it remembers stand in one
file or folder. The rest of the package knows its name and its module
(`ruleplay.core.components.seams`), which is imported when somebody asks for it. Its settings are
given as all others are, by name. What each of them is worth on the study's problems: see the page
"Beyond the paper".
"""
