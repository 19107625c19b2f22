"""The process that works on cases: it announces each before it starts it.

    python -m torture.child MODULE FIRST COUNT FOLDER FD

One JSON line per event goes to file descriptor FD: {"ready"}, {"begin": case}, or a result.
"""

import faulthandler
import json
import os
import resource
import signal
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from torture.part import Part, Result, find_part


def main(arguments: list[str]) -> None:
    """Prepare, then work on the cases that the command line names."""
    module, first, count, folder, pipe = arguments
    faulthandler.enable()
    faulthandler.register(signal.SIGUSR1, all_threads=True)  # the watchdog asks before it kills
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    part = find_part(module)
    if part.memory is not None:
        resource.setrlimit(resource.RLIMIT_AS, (part.memory, part.memory))
    with os.fdopen(int(pipe), "w", buffering=1) as events:
        if part.prepare is not None:
            part.prepare(Path(folder))
        _tell(events, {"ready": True})
        work(part, range(int(first), int(first) + int(count)), Path(folder), events)


def work(part: Part, cases: range, folder: Path, events: Any) -> None:
    """Run the cases; one that raises does not keep the next from being tried."""
    results: Iterator[Result] | None = None
    for case in cases:
        _tell(events, {"begin": case})
        begun = time.perf_counter()
        if results is None:
            results = iter(part.run(range(case, cases.stop), folder))
        try:
            result = next(results)
            if result.case != case:
                raise RuntimeError(f"the part gave a result for {result.case}, not for {case}")
        except BaseException as error:  # a part may let out anything; the driver lists it
            if isinstance(error, KeyboardInterrupt):
                raise
            results = None
            result = Result(case, "traceback", traceback.format_exc()[-3000:])
        seconds = round(time.perf_counter() - begun, 4)
        _tell(events, {**result._asdict(), "seconds": seconds})


def _tell(events: Any, event: dict[str, Any]) -> None:
    events.write(json.dumps(event) + "\n")
    events.flush()


def _end_with(parent: int) -> None:
    """End this process when its parent is gone, whatever else it is busy with."""
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(1)


if __name__ == "__main__":
    main(sys.argv[1:])
