"""The gallery: a page for each program of ``compat_examples``, with its text, what it prints, and a picture."""

import ast
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "compat_examples"
FIGURES = ROOT / "docs/figures"
GROUPS = {
    "Training": "lenet lenet_mnist resnet_cifar dcgan sentiment_lstm transformer fine_tuning training_step",
    "Physics and mathematics": "physics_informed_network taylor_series hessian jvp_and_vjp",
    "Gradients": "first_order_gradients second_order_gradients functional_gradients per_sample_gradients "
    "custom_gradients gradient_hooks running_statistics control_flow",
    "Other interfaces": "func_face legacy_calls",
}
_HEAD = """# Gallery

Complete programs in MindSpore's API, each with what it prints. MindSpore has printed the same, letter by letter, for
all but the last two. `compat_examples` has the files.

"""
_PAGE = """# {title}

{about}

{picture}```sh
msgrad run compat_examples/{name}.py
```

```text
{printed}```

## The program

```python
{source}```

[The gallery](../gallery.md)
"""


def pages():
    """The pages by path, the first being the gallery itself."""
    names = [name for group in GROUPS.values() for name in group.split()]
    return {"gallery.md": _index(), **{f"gallery/{name}.md": _page(name) for name in names}}


def _index():
    parts = [_HEAD]
    for group, names in GROUPS.items():
        parts.append(f'## {group}\n\n<div class="gallery" markdown>\n\n')
        parts += [_card(name) for name in names.split()]
        parts.append("</div>\n\n")
    return "".join(parts)


def _card(name):
    picture = _picture(name, "gallery/")
    about = _about(name).split(": ", 1)
    text = about[0].rstrip(".") if len(about[0]) < 90 else about[0][:87] + "..."
    return f'<div class="card" markdown>\n{picture}[**{_title(name)}**](gallery/{name}.md)\n\n{text}.\n</div>\n\n'


def _page(name):
    source = (EXAMPLES / f"{name}.py").read_text()
    printed = (EXAMPLES / "expected" / f"{name}.txt").read_text()
    about = ast.get_docstring(ast.parse(source))
    return _PAGE.format(
        title=_title(name), about=about, picture=_picture(name, ""), name=name, printed=printed, source=source
    )


def _about(name):
    return ast.get_docstring(ast.parse((EXAMPLES / f"{name}.py").read_text())).split("\n\n")[0].replace("\n", " ")


def _picture(name, folder):
    found = sorted(FIGURES.glob(f"gallery_{name}.*"))
    path = f"{'' if folder else '../'}figures/{found[0].name}" if found else ""
    return f"![What {name}.py computes]({path})\n\n" if found else ""


def _title(name):
    words = {"lenet": "LeNet", "mnist": "MNIST", "resnet": "ResNet", "cifar": "CIFAR", "dcgan": "DCGAN", "lstm": "LSTM"}
    words |= {"jvp": "jvp", "vjp": "vjp", "func": "msgrad.func", "face": ""}
    parts = [words.get(part, part) for part in name.split("_")]
    text = " ".join(part for part in parts if part)
    return text if text[0].isupper() or parts[0] in words.values() else text[0].upper() + text[1:]
