"""What mkdocs calls while it builds the site: adds the pages that are made, and weighs pages in the search."""

import logging
import pathlib
import shutil
import subprocess
import sys

from mkdocs.structure.files import File

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import gallery  # noqa: E402
import messages  # noqa: E402
import reference  # noqa: E402
from cells import notebook  # noqa: E402

log = logging.getLogger("mkdocs.hooks.site")
ROOT = pathlib.Path(__file__).resolve().parents[2]
OUTSIDE = {  # pages that stand elsewhere in the repository
    "readme.md": "README.md",
    "programs.md": "compat_examples/README.md",
    "engine.md": "msgrad/engine/README.md",
    "definitions.md": "msgrad/ops/_core/README.md",
}
# How words of a page or of a folder's pages weigh in the search, beside 1: lists and records of changes come last.
BOOSTS = {"CHANGELOG.md": 0.02, "names.md": 0.05, "operations.md": 0.05, "coverage.md": 0.1, "numpy_names.md": 0.1}
BOOSTS |= {"benchmarks.md": 0.2, "benchmarks": 0.2, "checks.md": 0.2, "differences.md": 0.5, "readme.md": 0.3}
BOOSTS |= {"install.md": 4, "quickstart.md": 3, "faq.md": 2, "troubleshooting.md": 1.5}


def on_config(config):
    """Puts the reference into the table of contents."""
    for section in config.nav:
        if "API" in section:
            section["API"] = reference.navigation()
    return config


def on_files(files, config):
    """Adds the pages."""
    for path, source in OUTSIDE.items():
        files.append(File.generated(config, path, content=(ROOT / source).read_text()))
    for path, page in reference.pages().items():
        files.append(File.generated(config, path, content=page.text))
    for path, text in gallery.pages().items():
        files.append(File.generated(config, path, content=text))
    files.append(File.generated(config, "messages.md", content=messages.page()))
    for page in notebooks():
        name = page.with_suffix(".ipynb").relative_to(ROOT / "docs").as_posix()
        files.append(File.generated(config, name, content=notebook(page.read_text())))
    return files


def notebooks():
    """The pages that are notebooks, too."""
    return [ROOT / "docs/quickstart.md", ROOT / "docs/to_jax.md", *sorted((ROOT / "docs/tutorials").glob("*.md"))]


def on_nav(nav, config, files):
    """Hangs the page of a class or function below its page of contents, where it is not listed itself."""
    for path, page in reference.pages().items():
        entry = files.get_file_from_path(path).page
        if page.neighbours:
            entry.parent = files.get_file_from_path(page.above).page
    return nav


def on_page_markdown(markdown, page, config, files):
    """Weighs the page, and turns links to files elsewhere in the repository into links to their pages."""
    path = page.file.src_uri
    made = reference.pages().get(path)
    page.meta["search"] = {"boost": made.boost if made else BOOSTS.get(path) or BOOSTS.get(path.partition("/")[0], 1.0)}
    if made and made.neighbours:
        above = files.get_file_from_path(made.above).page
        neighbours = [(name, files.get_file_from_path(its).url) for name, its in made.neighbours]
        page.meta |= {"template": "entry.html", "above": above.title, "above_url": above.url, "neighbours": neighbours}
    if ROOT / "docs" / path in notebooks():
        title, _, rest = markdown.partition("\n")
        name = pathlib.PurePath(path).stem
        markdown = f"{title}\n\n[Download this page as a notebook]({name}.ipynb){{ .md-button download }}\n{rest}"
    if path == "readme.md":  # it stands beside the folder of the pages
        markdown = markdown.replace("](", "](../").replace("](../docs/", "](")
    for name, source in OUTSIDE.items():
        markdown = markdown.replace(f"](../{source})", f"]({name})")
    return markdown


def on_post_build(config):
    """Looks whether the search finds first what it should; needs node, the interpreter of its code."""
    node = shutil.which("node")
    if node is None:
        log.info("There is no node, so what the search finds is not checked.")
        return
    ranks = [node, str(pathlib.Path(__file__).with_name("ranks.mjs")), config.site_dir]
    done = subprocess.run(ranks, capture_output=True, text=True)
    if done.returncode:
        log.warning("The search: %s", done.stdout + done.stderr)
