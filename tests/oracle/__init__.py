"""Tell in plain Python, one object per rule, what the compiled engine must do.

Written from the paper, not from the engine, and slow on purpose: fed the same draws, both must
give the same trajectory to the last bit. So the order of draws and of additions is part of the
text. Read `oracle.py` (Algorithms 1 and 2) first, then `reinforcement.py` (Algorithm 3).
"""

from .oracle import Oracle

__all__ = ["Oracle"]
