"""Print a page of the documentation as PDF: `python docs/print_page.py does-replay-harm`.

The PDF lies beside the page. Needs the packages of the extra `dev` and an installed Chromium.
Comments, and links to other pages, are left out: a sheet of paper has no pages to go to.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import markdown

DOCS = Path(__file__).parent
EXTENSIONS = ("tables", "attr_list", "md_in_html", "pymdownx.superfences")
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((?!https?:)[^)]*\)")
COMMENT = re.compile(r"<!--.*?-->\n?|^\[As PDF\][^\n]*", re.DOTALL | re.MULTILINE)
STYLE = """
@page { size: A4; margin: 18mm 16mm; }
body { font: 10pt/1.45 "DejaVu Serif", Georgia, serif; color: #1c1c1c; }
h1 { font-size: 18pt; margin: 0 0 4mm; } h2 { font-size: 13pt; margin: 7mm 0 2mm; }
h3 { font-size: 11pt; margin: 5mm 0 1mm; } h1, h2, h3 { line-height: 1.2; break-after: avoid; }
p, li { orphans: 3; widows: 3; } a { color: #0072b2; text-decoration: none; }
img { max-width: 100%; max-height: 235mm; display: block; margin: 3mm auto; }
table { border-collapse: collapse; font-size: 7pt; line-height: 1.25; margin: 2mm 0; width: 100%; }
th, td { border-bottom: 0.4pt solid #bbb; padding: 0.7mm 1.2mm; vertical-align: top; }
thead { display: table-header-group; } th { border-bottom: 0.8pt solid #333; text-align: left; }
tr { break-inside: avoid; } code { font-size: 90%; }
pre { background: #f4f4f4; padding: 2mm; font-size: 8pt; white-space: pre-wrap; }
"""


def as_html(text: str, title: str) -> str:
    """Return a page of Markdown as a document of its own."""
    text = LINK.sub(r"\1", COMMENT.sub("", text))
    body = markdown.markdown(text, extensions=EXTENSIONS)
    head = f'<meta charset="utf-8"><title>{title}</title><base href="{DOCS.as_uri()}/">'
    return f"<!doctype html><html lang=en><head>{head}<style>{STYLE}</style></head>{body}</html>"


def print_page(name: str) -> Path:
    """Print a page and return the path of the PDF."""
    source, target = DOCS / f"{name}.md", DOCS / f"{name}.pdf"
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        raise SystemExit("docs/print_page.py needs Chromium")
    text = source.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / f"{name}.html"
        page.write_text(as_html(text, text.split("\n", 1)[0].removeprefix("# ")), encoding="utf-8")
        call = [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer"]
        call += [f"--print-to-pdf={target}", page.as_uri()]
        subprocess.run(call, check=True, stderr=subprocess.DEVNULL)  # it complains of no desktop
    return target


if __name__ == "__main__":
    for wanted in sys.argv[1:]:
        print(print_page(wanted))
