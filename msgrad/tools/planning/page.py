"""A plan as one HTML page that needs no other file."""

import html

from . import pictures, report

_STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 900px; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .25rem .8rem .25rem 0; border-bottom: 1px solid #8884; vertical-align: top; }
.verdict { font-size: 1.15rem; padding: .6rem 1rem; border-radius: 6px; background: #3ca95133; }
.verdict.bad { background: #ff725c44; }
pre { overflow-x: auto; padding: .8rem; background: #8881; border-radius: 6px; }
"""


def page(plans):
    """The page of several plans."""
    title = html.escape(f"msgrad plan {plans[0]['script']}")
    parts = [_section(plan) for plan in plans]
    if len(plans) > 1:
        parts.insert(0, _table(report.comparison_rows(plans)))
    return (
        f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>{title}</title>\n<style>{_STYLE}</style>\n'
        f"<h1>{title}</h1>\n" + "\n".join(parts) + "\n</html>\n"
    )


def _section(plan):
    head, *rest = report.head(plan)
    parts = [f"<h2>{html.escape(head)}</h2>", *[f"<p>{html.escape(line)}</p>" for line in rest]]
    if plan["programs"]:
        verdict, step = report.verdict(plan), report.step_line(plan)
        kind = "verdict" if plan["fits"] else "verdict bad"
        parts += [
            f'<p class="{kind}">{html.escape(report.memory_line(plan, verdict))}<br>{html.escape(step)}</p>',
            "<h2>Memory when most is needed</h2>",
            pictures.memory_by_part(plan),
            "<h2>Memory over the step</h2>",
            pictures.memory_over_time(plan),
            _table([("bytes", "value", "Cell and line", "what"), *report.buffer_rows(plan)]),
            "<h2>Time by layer</h2>",
            pictures.time_by_layer(plan),
            "<h2>Programs</h2>",
            _table(report.program_rows(plan)),
        ]
        exchanges = report.exchange_rows(plan)
        parts += ["<h2>Between chips</h2>", _table(exchanges)] if len(exchanges) > 1 else []
    parts += _list("Worth knowing", plan["findings"]) + _list("What would help", plan.get("helps", ()))
    return "\n".join(parts)


def _list(title, sentences):
    if not sentences:
        return []
    return [f"<h2>{title}</h2>", "<ul>", *[f"<li>{html.escape(each)}</li>" for each in sentences], "</ul>"]


def _table(rows):
    head, *body = [[html.escape(cell) for cell in row] for row in rows]
    lines = ["<table>", "<tr>" + "".join([f"<th>{cell}</th>" for cell in head]) + "</tr>"]
    lines += ["<tr>" + "".join([f"<td>{cell}</td>" for cell in row]) + "</tr>" for row in body]
    return "\n".join([*lines, "</table>"])
