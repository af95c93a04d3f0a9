"""Pages of the site that stand elsewhere in the repository; mkdocs calls the two functions."""

import pathlib

from mkdocs.structure.files import File

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = {
    "readme.md": "README.md",
    "programs.md": "compat_examples/README.md",
    "engine.md": "msgrad/engine/README.md",
}


def on_files(files, config):
    """Adds the pages."""
    for page, source in PAGES.items():
        files.append(File.generated(config, page, content=(ROOT / source).read_text()))
    return files


def on_page_markdown(markdown, page, config, files):
    """Turns links to these files into links to their pages."""
    for name, source in PAGES.items():
        markdown = markdown.replace(f"](../{source})", f"]({name})")
    return markdown
