"""Write what `ruleplay fit` has learned as one page that needs nothing else."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment

from ruleplay.cli.fitting.front_picture import draw_front
from ruleplay.output.files import MAKER, write_whole
from ruleplay.output.harmless import visible

if TYPE_CHECKING:
    from ruleplay.cli.fitting.output import Shown

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="generator" content="{{ maker }}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{{ target }} from {{ name }}</title>
<style>
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { padding: .3rem .8rem; border-bottom: 1px solid #8886; text-align: left; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
td.right { background: #2a82; font-weight: 600; }
td.wrong { background: #c332; }
.scroll { overflow-x: auto; }
.front svg { max-width: 35rem; width: 100%; }
tr.chosen { font-weight: 600; }
</style>
</head>
<body>
<h1>{{ target }} from {{ name }}</h1>
<p>{{ document.rows.train }} rows to learn from, {{ document.rows.test }} to test with,
{{ document.features | length }} columns, {{ document.classes | length }} classes.</p>
{% if document.test %}
<h2>How well</h2>
<div class="scroll"><table>
<tr><th>on rows that it has not learned from</th><th class="n">accuracy</th>
<th class="n">95 % interval</th><th class="n">balanced accuracy</th></tr>
{% for label, m in measures %}
<tr><td>{{ label }}</td><td class="n">{{ '%.3f' | format(m.accuracy) }}</td>
<td class="n">{{ '%.2f' | format(m.interval[0]) }} to {{ '%.2f' | format(m.interval[1]) }}</td>
<td class="n">{{ '%.3f' | format(m.balanced_accuracy) }}</td></tr>
{% endfor %}
</table></div>
<h2>What is taken for what</h2>
<div class="scroll"><table>
<tr><th>in truth</th>
{%- for class in document.test.confusions.classes %}<th class="n">→ {{ class }}</th>
{%- endfor %}</tr>
{% for row in document.test.confusions.counts %}{% set k = loop.index0 %}
<tr><th>{{ document.test.confusions.classes[k] }}</th>
{%- for count in row %}
<td class="n{{ ' right' if loop.index0 == k else ' wrong' if count else '' }}">{{ count }}</td>
{%- endfor %}</tr>
{% endfor %}
</table></div>
{% endif %}
<h2>Rules</h2>
<p>{{ heading }}</p>
<ul>
{% for line in lines %}<li>{{ line }}</li>
{% endfor %}
</ul>
{% for line in reading %}<p>{{ line }}</p>
{% endfor %}
{% if by_hand %}
<h2>Rules by hand</h2>
<p>{{ by_hand[1] }}</p>
<ul>
{% for line in by_hand[2:] %}<li>{{ line }}</li>
{% endfor %}
</ul>
{% endif %}
{% if front %}
<h2>How many rules</h2>
<p>Lists of each length, judged by rows held out in turn (cross-validation).</p>
<div class="front">{{ front | safe }}</div>
<div class="scroll"><table>
<tr><th class="n">rules</th><th class="n">training rows</th><th class="n">held-out rows</th></tr>
{% for list in document.short_list.front %}
<tr{% if list.rules == shown_rules %} class="chosen"{% endif %}><td class="n">{{ list.rules }}</td>
<td class="n">{{ '%.3f' | format(list.training) }}</td>
<td class="n">{{ '%.3f' | format(list.held_out) }}</td></tr>
{% endfor %}
</table></div>
{% endif %}
{% if remarks %}
<h2>Remarks on the data</h2>
<ul>
{% for line in remarks %}<li>{{ line }}</li>
{% endfor %}
</ul>
{% endif %}
</body>
</html>
"""


def write_page(path: Path, shown: "Shown") -> None:
    """Write the page, whole or not at all."""
    write_whole(path, render(shown))


def _spelled(value: Any) -> Any:
    is_plain = isinstance(value, str) and not hasattr(value, "__html__")
    return visible(value) if is_plain else value


def render(shown: "Shown") -> str:
    """Return the page."""
    from ruleplay.cli.fitting.output import by_hand_lines, describe, heading, list_lines
    from ruleplay.cli.fitting.output import remarks as reading_remarks

    lesson, total = shown.fitted.lesson, shown.fitted.model.engine_.macroclassifiers
    document = describe(shown, None)
    measures = []
    if document["test"]:
        majority = document["test"]["majority"]
        measures = [("all rules", document["test"])]
        if shown.short is not None:
            measures.append(("the short list", document["short_list"]["test"]))
        measures.append((f"always {majority['class']!r}", majority))
    if shown.short is None:
        title, lines = f"The strongest of {total} rules", document["strongest_rules"]
    else:
        title, lines = heading(shown.short, total), list_lines(shown.short)
    front = None if shown.short is None else shown.short.model.front()
    left_out = [
        f"column {name!r} is left out: {why}" for name, why in lesson.columns.left_out.items()
    ]
    page = Environment(autoescape=True, finalize=_spelled).from_string(PAGE)
    return page.render(
        maker=MAKER,
        name=lesson.name,
        target=lesson.target,
        document=document,
        measures=measures,
        heading=title,
        lines=lines,
        by_hand=by_hand_lines(shown),
        reading=reading_remarks(shown),
        front=draw_front(front) if front is not None and len(front) > 1 else None,
        shown_rules=0 if front is None else front.chosen,
        remarks=left_out + lesson.notes,
    )
