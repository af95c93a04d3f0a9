"""Third-party packages that programs import where they begin, and that are not installed."""

import functools
import importlib.util
import os
import sys

from .python_names import GONE
from .syntax import AT_IMPORT

_DISTRIBUTIONS = {  # what to install, where it has another name than the module
    "Crypto": "pycryptodome",
    "PIL": "pillow",
    "attr": "attrs",
    "bs4": "beautifulsoup4",
    "cv2": "opencv-python-headless",
    "dateutil": "python-dateutil",
    "dotenv": "python-dotenv",
    "google": "protobuf",
    "jwt": "pyjwt",
    "mpl_toolkits": "matplotlib",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "yaml": "pyyaml",
}


def not_installed(sources, own):
    """The packages that are not installed, each with the files that import it, most files first.

    Args:
        sources (iterable of Source): the files.
        own (set of str): the modules of the checked programs.
    Returns:
        dict: a list of paths by the name of the module.
    """
    files = {}
    for source in sources:
        modules = [each.module for each in source.imports if each.when == AT_IMPORT and not each.level]
        for name in {module.partition(".")[0] for module in modules}:
            if name not in own and not _is_beside(source.path, name) and not _is_installed(name):
                files.setdefault(name, []).append(source.path)
    return dict(sorted(files.items(), key=lambda item: (-len(item[1]), item[0])))


def distribution(name):
    """The name under which pip installs a module: the module's own, or the known one that differs."""
    return _DISTRIBUTIONS.get(name, name)


@functools.cache
def _is_installed(name):
    """Whether there is such a module; what Python once had counts as a missing name of Python's."""
    return name in sys.modules or name in GONE or importlib.util.find_spec(name) is not None


def _is_beside(path, name):
    """Whether a module lies in the folder of a file or in the working directory, which a program may import from."""
    folders = [os.path.dirname(os.path.abspath(path)), os.getcwd()]
    places = [os.path.join(folder, name) for folder in folders]
    return any(os.path.isdir(place) or os.path.isfile(f"{place}.py") for place in places)
