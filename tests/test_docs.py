"""The pages of ``docs``: their code runs and prints what they show; the site has a page for every public name."""

import contextlib
import importlib
import json
import pathlib
import re
import subprocess
import sys

import pytest

import msgrad
from msgrad.engine.processes import launched

from .tuning import fast_to_compile

ROOT = pathlib.Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
SITE = DOCS / "site"
LINK = re.compile(r"\]\(([^)#\s]+\.md)(?:#[^)]*)?\)")
HOW_TO = " ".join(f"how_to/{page.name}" for page in sorted((DOCS / "how_to").glob("*.md")))
# Pages that share a process. Those of `docs/tutorials` start programs of their own: `.ci/run` runs them.
PAGES = ["contributing.md", "jax.md", "porting.md testing.md tools.md torch.md weights.md", "quickstart.md"]
PAGES += ["sharding.md", "to_jax.md", HOW_TO]
NEEDS = {"jax.md": ["optax", "orbax.checkpoint"]}  # packages that msgrad does not need


@pytest.fixture(scope="module", autouse=True)
def _site_on_the_path():
    sys.path.insert(0, str(SITE))
    yield
    sys.path.remove(str(SITE))


@pytest.mark.parametrize("pages", PAGES, ids=lambda pages: pages.split("/")[0].split()[0])
def test_the_code_of_pages_prints_what_they_show(pages):
    for package in NEEDS.get(pages, []):
        pytest.importorskip(package)
    paths = [str(DOCS / page) for page in pages.split()]
    command = [sys.executable, "-m", "msgrad", "run", str(SITE / "run.py"), *paths]
    done = subprocess.run(command, capture_output=True, text=True, env=fast_to_compile())
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_page_that_shows_something_else_is_found(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("```python\nprint(0.5)\nprint('in 3 s')\n```\n\n```text\n0.501\nin 4 s\n```\n")
    run = importlib.import_module("run")
    assert not run.main([str(page)])
    page.write_text(page.read_text().replace("0.501", "0.6"))
    assert run.main([str(page)])
    assert not run.main(["--write", str(page)]) and "0.5\n" in page.read_text()


def test_a_page_becomes_a_notebook():
    cells = importlib.import_module("cells")
    page = (DOCS / "tutorials/several_processes.md").read_text()
    made = json.loads(cells.notebook(page))["cells"]
    assert made[0]["source"][0].startswith("# Several processes") and made[1]["source"] == ["%load_ext msgrad"]
    sources = ["".join(cell["source"]) for cell in made if cell["cell_type"] == "code"]
    assert sources[1].startswith("%%writefile train.py\n") and "!msgrad run train.py" in sources
    assert not any(cell.get("outputs") for cell in made)


def test_every_public_name_has_a_page():
    catalog, reference = importlib.import_module("catalog"), importlib.import_module("reference")
    pages, names = reference.pages(), [name for listed in catalog.names().values() for name in listed]
    assert [name.title for name in names if reference.path(name) not in pages] == []
    assert {page.above for page in pages.values() if page.above} <= pages.keys()
    known = {id(name.value) for name in names}
    for place, module in _public_modules().items():
        shown = [name for name in module.__all__ if name[0] != "_" and catalog.is_shown(getattr(module, name))]
        assert [name for name in shown if id(getattr(module, name)) not in known] == [], place


def _public_modules():
    """The modules that ``docs/coverage.md`` counts, but those that are paths to others' names."""
    found = {}
    for name in re.findall(r"^\| `mindspore\.([a-z_.]+)` ", (DOCS / "coverage.md").read_text(), re.MULTILINE):
        with contextlib.suppress(ModuleNotFoundError):
            found[name] = importlib.import_module(f"msgrad.{name}")
    return {name: module for name, module in found.items() if hasattr(module, "__all__")}


def test_no_link_of_a_page_leads_nowhere():
    reference, gallery = importlib.import_module("reference"), importlib.import_module("gallery")
    made = {*reference.pages(), *gallery.pages(), "messages.md"}
    for page in [ROOT / "README.md", *DOCS.rglob("*.md")]:
        for link in LINK.findall(page.read_text()):
            target = (page.parent / link).resolve()
            if not link.startswith("http") and not target.is_file():
                assert target.is_relative_to(DOCS) and str(target.relative_to(DOCS)) in made, (page, link)


def test_every_environment_variable_is_listed():
    source = "".join(file.read_text() for file in (ROOT / "msgrad").rglob("*.py"))
    named = set(re.findall(r"MSGRAD_[A-Z_]+", source))
    listed = set(re.findall(r"`(MSGRAD_[A-Z_]+)`", (DOCS / "tools.md").read_text()))
    assert listed == named - {launched.JOINED, launched.LAUNCHER, launched.LOCAL_WORKERS}  # of the launcher's own


def test_troubleshooting_quotes_messages_that_there_are():
    texts = [" ".join(text.split()) for _, text in importlib.import_module("messages").messages()]
    source = " ".join(" ".join(texts).split())
    quoted = re.findall(r"^> (.+)$", (DOCS / "troubleshooting.md").read_text(), re.MULTILINE)
    assert len(quoted) > 30
    for quote in [each.replace("\\", "") for each in quoted]:
        assert quote in source or _is_in_the_source(quote), quote


def _is_in_the_source(quote):
    """Whether the words of a message between what it names are written in one file, however its lines are broken."""
    parts = [re.sub(r"\s+", " ", part) for part in re.split(r"\{\w*\}|'GPU'|'CPU'", quote) if len(part) > 8]
    return any(all(part in text for part in parts) for text in _texts())


def _texts(cache=[]):  # noqa: B006  (read once)
    if not cache:
        for file in pathlib.Path(msgrad.__file__).parent.rglob("*.py"):
            cache.append(re.sub(r'"\s*\n\s*f?"', "", file.read_text()))
    return cache
