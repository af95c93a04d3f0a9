"""``msgrad convert``: weights of torch, safetensors or Keras as a checkpoint of a MindSpore network, and back."""

import argparse

from ..train.load_params import load_param_into_net
from ..train.loading import load_checkpoint
from ..train.saving import save_checkpoint
from ..weights.loading import loaded
from ..weights.saving import save
from .networks import NoNetworkError, network
from .parsing import Parser
from .wording import fault_of_file

_ABOUT = """\
Matches the arrays of a file with a network's Parameters, prints by which rules, and writes a
checkpoint. From a .ckpt, writes torch's names, as .pth or .safetensors."""
_EXAMPLES = """\
msgrad convert resnet18.pth --to resnet18.ckpt --for mindcv.models:resnet18
msgrad convert old.pth --to net.ckpt --for 'nets.py:Net(depth=18)' --rename '^encoder\\.=body.'
msgrad convert net.ckpt --to new.pth --for nets.py:Net --like old.pth"""
_MSG_ENDING = "--to takes a path that ends with .ckpt, .safetensors, .pth, .pt or .bin, not '{}'"
_MSG_FROM = "from a file of another library, --to takes .ckpt or .safetensors, not '{}'"
_MSG_MISSING = "{} lacks Parameters of the network: {}"
_MSG_UNMATCHED = (
    "nothing was written; give names their counterparts with --rename, or write what matches with --partial"
)
_CHECKPOINT = ".ckpt"
_ENDINGS = (_CHECKPOINT, ".safetensors", ".pth", ".pt", ".bin")


def main(arguments):
    """Converts a file of weights.

    Args:
        arguments (list of str): those of the command.
    Returns:
        int | str: 0; 1 if the file and the network do not match; or an error text.
    """
    options = _parser().parse_args(arguments)
    if not options.to.endswith(_ENDINGS):
        return _MSG_ENDING.format(options.to)
    is_checkpoint = options.file.endswith(_CHECKPOINT)
    if not is_checkpoint and not options.to.endswith(_ENDINGS[:2]):
        return _MSG_FROM.format(options.to)
    if fault := fault_of_file(options.file):
        return fault
    try:
        net = network(options.net)
    except NoNetworkError as error:
        return str(error)
    try:
        return _to_torch(net, options) if is_checkpoint else _to_mindspore(net, options)
    except (ValueError, TypeError, ImportError, RuntimeError, OSError) as error:
        return str(error)


def _to_mindspore(net, options):
    report = loaded(net, options.file, False, options.rename, options.key)
    print(report)
    if not report.ok and not options.partial:
        print(_MSG_UNMATCHED)
        return 1
    save_checkpoint(net, options.to, format=options.to.rpartition(".")[2])
    print(f"wrote {options.to}")
    return 0


def _to_torch(net, options):
    missing, _ = load_param_into_net(net, load_checkpoint(options.file))
    if missing and not options.partial:
        return _MSG_MISSING.format(options.file, ", ".join(missing[:5]))
    print(save(net, options.to, options.like, options.rename, options.key))
    print(f"wrote {options.to}")
    return 0


class _Rename(argparse.Action):
    def __call__(self, parser, namespace, value, option_string=None):
        old, equals, new = value.rpartition("=")
        if not equals:
            parser.error(f"--rename takes OLD=NEW, not '{value}'")
        namespace.rename = {**(namespace.rename or {}), old: new}


def _parser():
    parser = Parser("convert", _ABOUT, _EXAMPLES)
    add = parser.add_argument
    add("file", metavar="FILE", help="of torch (.pth, .pt, .bin), .safetensors, Keras (.h5), or MindSpore (.ckpt)")
    add("--to", required=True, metavar="FILE", help="the file to write: .ckpt or .safetensors with "
        "MindSpore's names; from a .ckpt, .pth, .pt, .bin or .safetensors with torch's")  # fmt: skip
    add("--for", dest="net", required=True, metavar="MODULE:NET", help="the network: a Cell, or what gives one, of a "
        "module or a FILE.py; arguments are literals: 'nets.py:resnet(depth=18)'")  # fmt: skip
    add("--rename", action=_Rename, metavar="OLD=NEW", help="replace what the regular expression OLD finds in the "
        "file's names; may be repeated")  # fmt: skip
    add("--key", help="the key of the state dict, in a torch file that is a dict of dicts: 'ema.model'")
    add("--like", metavar="FILE", help="a torch file of the same model, whose names and shapes the new one gets")
    add("--partial", action="store_true", help="also write if Parameters have no value in the file")
    return parser
