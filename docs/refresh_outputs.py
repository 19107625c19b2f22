"""Run the code of pages, and put what it prints into them where it differs from what they show.

Run with: PYTHONPATH=tests python docs/refresh_outputs.py docs/quickstart.md docs/rules.md

Outputs that are shown in part (`...`) are left as they are, and named.
"""

import re
import sys
import tempfile
from pathlib import Path
from unittest import mock

import page_code

NOISE = re.compile(r"^(compil|ruleplay: compil|\d+ of \d+ presentations)")


class Refresher:
    """Takes the place of the comparison: notes what is to be replaced."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __call__(self, block: "page_code.Block", shown: str, printed: str) -> None:
        """Replace what is shown if it is not what was printed."""
        if page_code._words(shown) == page_code._words(_clean(printed)):
            return
        if any(line.strip() == "..." for line in shown.splitlines()):
            print(f"{block.place}: shown in part, look at it\n{_clean(printed)}")
        elif self.text.count(shown) != 1:
            print(f"{block.place}: not found, or more than once")
        else:
            self.text = self.text.replace(shown, _clean(printed))
            print(f"{block.place}: refreshed")


def _clean(printed: str) -> str:
    """Return what a page shows of an output: no word of compiling, no spaces at the ends."""
    lines = [line.rstrip() for line in printed.splitlines() if not NOISE.match(line)]
    return "\n".join(lines).strip("\n") + "\n"


def main() -> None:
    """Refresh the pages that are named."""
    for page in map(Path, sys.argv[1:]):
        refresher = Refresher(page.read_text(encoding="utf-8"))
        comparing = mock.patch.object(page_code, "_compare", refresher)
        with tempfile.TemporaryDirectory() as folder, comparing:
            page_code.run_page(page.resolve(), Path(folder))
        page.write_text(refresher.text, encoding="utf-8")


if __name__ == "__main__":
    main()
