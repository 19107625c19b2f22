"""Let another process load a saved model and apply it."""

import json
import subprocess
import sys


def apply_elsewhere(program, saved, frame, folder):
    """Run a program with the paths of a model and of a frame; return the JSON that it prints."""
    frame.to_json(folder / "frame.json", orient="split", double_precision=15)
    done = subprocess.run(
        [sys.executable, "-c", program, str(saved), str(folder / "frame.json")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
