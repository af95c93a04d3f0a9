"""``import mindspore`` gives msgrad.

``install()`` puts a finder in front of Python's own. A module that msgrad has (``mindspore.nn``) is one object under
both names. A path that only MindSpore has (``mindspore.ops.operations``, ``mindspore.common.tensor``: files where
names once lived) is a `LegacyModule`: it looks a name up when the name is asked for, in the modules that ``_ROWS``
lists for it. ``pytest -p msgrad.alias`` installs it before any test is collected.
"""

import functools
import importlib
import importlib.machinery
import importlib.util
import pathlib
import sys
import types

from ._compat import numpy_names
from .version import __msgrad_version__

# Legacy paths of whole modules that msgrad keeps elsewhere.
_MOVED = {"common.dtype": "dtype"}

_COMPILED = ["compiling", "autodiff.no_grad", ""]
_API = [
    "compiling", "autodiff.no_grad", "_compat.compiler.executors", "_compat.common.registers",
    "_compat.compiler.decorators",
    "_compat.parallel.clusters", "",
]  # fmt: skip
# Public modules of MindSpore that few programs name. ``import msgrad.hal`` gives them as well.
_SELDOM_NAMED = ("boost", "hal", "multiprocessing", "onnx", "rewrite", "safeguard", "utils")
# Where the names of legacy modules live: (package, its legacy submodules, modules of msgrad searched in this order).
# "" is msgrad itself.
_ROWS = [
    ("", "common", ["", "ops"]),
    *(("", name, [f"_compat.modules.{name}"]) for name in _SELDOM_NAMED),
    ("common", "tensor", ["tensor.tensor", "_compat.common.registers", ""]),
    ("common", "_register_for_tensor _stub_tensor", ["_compat.common.registers", "tensor.tensor", ""]),
    ("common", "parameter", ["tensor.parameter", "_compat.common.parameters", ""]),
    ("common", "initializer", ["initializer", "_compat.common.initializers"]),
    ("common", "np_dtype", ["_compat.common.np_dtype"]),
    ("common", "type", ["dtype"]),
    ("common", "generator", ["seeding"]),
    ("common", "seed", ["seeding", "_compat.common.seeds"]),
    ("common", "api", _API),
    ("common", "jit_config jit_context jit_trace lazy_inline mutable no_inline", _COMPILED),
    ("common", "sparse_tensor", ["_compat.common.sparse_tensor", ""]),
    ("common", "recompute symbol dump _grad_function device", [""]),
    ("common", "hook_handle", ["nn._cell.hooks", "autodiff.hooks"]),
    ("common", "dynamic_shape dynamic_shape.enable_dynamic", [""]),
    ("common", "file_system", ["_compat.common.files"]),
    ("common", "_utils", ["_compat.common.shapes", ""]),
    ("common", "_decorator", ["_compat.compiler.decorators"]),
    ("", "graph", [*_COMPILED, "_compat.compiler.graph_parts"]),
    ("graph", "api", _API),
    ("graph", "jit_config jit_context jit_trace lazy_inline mutable no_inline symbol", _COMPILED),
    ("graph", "dynamic_shape dynamic_shape.enable_dynamic", [""]),
    ("", "device_manager", ["device"]),
    ("device_context.ascend", "op_precision op_debug op_tuning", ["device_context.ascend"]),
    ("device_context.cpu", "op_tuning", ["device_context.cpu"]),
    ("device_context.gpu", "op_precision op_tuning", ["device_context.gpu"]),
    ("hal", "device event memory stream", ["_compat.modules.hal"]),
    ("runtime", "device event executor memory stream thread_bind_core", ["runtime"]),
    ("", "run_check", ["_compat.installation"]),
    ("", "_checkparam", ["_compat.checkparam"]),
    ("", "_c_expression", ["_compat.compiler.c_expression"]),
    ("", "_c_dataengine", ["_compat.dataset.data_engine"]),
    ("_c_expression", "typing", ["_compat.compiler.typing"]),
    ("_c_expression", "amp", ["amp.automatic"]),
    ("", "_extends", ["_compat.compiler.inline"]),
    ("_extends", "utils", ["_compat.compiler.inline"]),
    ("_extends", "parse", ["_compat.compiler.trope"]),
    ("_extends.parse", "compile_config", ["_compat.compiler.compile_config"]),
    ("_extends.parse", "trope", ["_compat.compiler.trope"]),
    ("_extends.parse", "standard_method", ["_compat.compiler.standard_methods"]),
    ("ops", "composite",
     ["_compat.ops.composite", "ops", "autodiff", "ops.control.composite", "_compat.compiler.decorators", ""]),
    ("ops", "auto_generate",
     ["ops", "ops.legacy.extended", "_compat.ops.mint_functions", "_compat.ops.view_functions",
      "_compat.ops.primitive_objects",
      "_compat.ops.gradients", "autodiff", "ops._core.primitive", "_compat.compiler.decorators",
      "_compat.ops.primitives", ""]),
    ("ops", "operations P functional function primitive deprecated tensor_method",
     ["ops", "autodiff", "ops._core.primitive", "ops.control.composite", "_compat.compiler.decorators",
      "_compat.ops.primitives",
      ""]),
    ("ops", "_tracefunc", ["_compat.compiler.decorators"]),
    ("ops", "functional_overload", ["mint", "mint.nn.functional", "ops"]),
    ("ops", "_utils _utils.utils", ["_compat.common.shapes", ""]),
    ("ops", "_primitive_cache _register_for_op", ["_compat.common.registers"]),
    ("ops", "_grad_experimental", ["_compat.parallel.clusters"]),
    ("ops._grad_experimental", "grad_comm_ops", ["_compat.parallel.clusters"]),
    ("ops._grad_experimental", "grad_base", ["_compat.ops.gradient_rules"]),
    ("ops", "communication", ["ops.collective.collective", "ops"]),
    ("ops", "vm_impl_registry op_info_register", ["ops"]),
    ("ops.operations", "array_ops math_ops nn_ops other_ops random_ops linalg_ops comm_ops control_ops custom_ops "
     "debug_ops image_ops inner_ops sparse_ops spectral_ops manually_defined _rl_inner_ops _scalar_ops "
     "_infer_ops _thor_ops _tensor_array _embedding_cache_ops",
     ["ops", "autodiff", "_compat.ops.inner_primitives", "_compat.ops.primitives"]),
    ("ops.operations", "_grad_ops",
     ["ops", "autodiff", "_compat.ops.gradients", "_compat.ops.primitives", "_compat.ops.inside_primitives"]),
    ("ops.operations", "_quant_ops", ["_compat.ops.quantization", "ops"]),
    ("ops.operations", "_inner_ops",
     ["ops", "ops.legacy.extended", "autodiff", "_compat.ops.inner_primitives", "_compat.ops.primitives",
      "_compat.ops.inside_primitives", "_compat.ops.generators"]),
    ("ops.operations", "_sequence_ops", ["ops.control.sequence_primitives", "_compat.ops.inner_primitives", "ops"]),
    ("ops.operations.manually_defined", "ops_def", ["ops"]),
    ("ops.auto_generate", "manually_defined", ["ops"]),
    ("ops.auto_generate.manually_defined", "ops_def", ["ops"]),
    ("ops.composite", "base math_ops multitype_ops",
     ["_compat.ops.composite", "ops", "autodiff", "ops.control.composite"]),
    ("ops.composite.multitype_ops", "_compile_utils", ["_compat.ops.indexing"]),
    ("ops.function", "array_func",
     ["ops", "autodiff", "_compat.ops.mint_functions", "_compat.common.seeds", "_compat.ops.array_objects"]),
    ("ops.function", "clip_func debug_func fft_func image_func linalg_func math_func other_func "
     "parameter_func random_func sparse_func spectral_func vmap_func",
     ["ops", "autodiff", "_compat.ops.mint_functions", "_compat.common.seeds"]),
    ("ops.function", "nn_func",
     ["ops", "autodiff", "_compat.ops.mint_functions", "ops.nn.multihead", "_compat.ops.attention"]),
    ("ops.function", "grad grad.grad_func", ["autodiff", "ops", "nn.custom_vjp", ""]),
    ("ops.auto_generate", "gen_ops_prim gen_ops_def pyboost_inner_prim",
     ["ops", "ops.legacy.extended", "_compat.ops.mint_functions", "_compat.ops.view_functions",
      "_compat.ops.primitive_objects", "_compat.ops.gradients", "_compat.ops.primitives",
      "_compat.ops.inner_primitives", "_compat.ops.inside_primitives", "_compat.ops.generators"]),
    ("communication", "_comm_helper", ["_compat.parallel.communication", "communication"]),
    ("mint.nn", "layer layer.activation layer.basic layer.conv layer.normalization layer.padding layer.pooling",
     ["mint.nn"]),
    ("mint.distributed", "distributed", ["mint.distributed"]),
    ("mint.optim", "adam adamw fused_adamw sgd", ["mint.optim"]),
    ("nn", "layer", ["_compat.nn.layers", "nn"]),
    ("nn", "loss optim wrap grad dynamic_lr learning_rate_schedule metrics sparse utils", ["nn"]),
    ("nn.sparse", "sparse", ["nn"]),
    ("nn", "transformer", ["_compat.nn.transformers", "_compat.nn.validators"]),
    ("nn.transformer", "transformer layers loss moe op_parallel_config",
     ["_compat.nn.transformers", "_compat.nn.validators"]),
    ("parallel", "_transformer", ["_compat.nn.transformers", "_compat.nn.transformer_parts", "_compat.nn.validators"]),
    ("parallel._transformer", "transformer layers loss moe op_parallel_config",
     ["_compat.nn.transformers", "_compat.nn.transformer_parts", "_compat.nn.validators"]),
    ("nn.metrics", "metric accuracy confusion_matrix error fbeta loss topk", ["nn"]),
    ("nn.layer", "activation", ["nn", "_compat.nn.layers"]),
    ("nn.layer", "normalization", ["nn", "nn.normalization.batch_norm", "nn.normalization.norm"]),
    ("nn.layer", "conv", ["nn", "nn.convolution.conv", "_compat.nn.layers"]),
    ("nn.layer", "math", ["_compat.nn.layers", "nn"]),
    ("nn.layer", "basic image", ["nn", "_compat.nn.layers"]),
    ("nn.layer", "channel_shuffle combined container dense embedding padding pooling thor_layer timedistributed "
     "transformer", ["nn"]),
    ("nn.layer", "flash_attention", ["_compat.nn.transformers"]),
    ("nn.layer", "rnns", ["nn", "nn.recurrent.rnn"]),
    ("nn.layer", "rnn_cells", ["nn", "nn.recurrent.cells", "_compat.nn.layers"]),
    ("nn.loss", "loss", ["nn", "_compat.nn.layers"]),
    ("nn.wrap", "cell_wrapper", ["nn", "_compat.nn.layers", "_compat.parallel.clusters"]),
    ("nn.wrap", "grad_reducer", ["nn"]),
    ("nn.wrap", "loss_scale", ["nn", "_compat.nn.layers", "_compat.parallel.clusters"]),
    ("nn.grad", "cell_grad", ["nn"]),
    ("nn.optim", "ada_grad adadelta adafactor adam adamax adasum asgd ftrl lamb lars lazyadam momentum "
     "proximal_ada_grad rmsprop rprop sgd tft_wrapper thor", ["nn"]),
    ("experimental.optim", "adadelta adamax adamw asgd nadam radam rmsprop rprop sgd", ["experimental.optim"]),
    ("nn.optim", "optimizer", ["nn", "_compat.nn.optimizers"]),
    ("nn.probability.distribution", "_utils _utils.utils _utils.custom_ops", ["_compat.nn.distributions"]),
    ("numpy", "array_creations array_ops logic_ops math_ops", ["numpy"]),
    ("numpy", "utils utils_const", ["_compat.ops.numpy_parts"]),
    ("scipy", "utils_const", ["scipy.utils"]),
    ("scipy.optimize", "minimize line_search linear_sum_assignment _bfgs _lbfgs",
     ["scipy.optimize._minimize", "scipy.optimize"]),
    ("train", "amp",
     ["amp", "amp.mixed_precision", "amp.automatic", "_compat.train.precision", "_compat.train.amp_levels"]),
    ("train", "loss_scale_manager", ["amp", "amp.mixed_precision", "amp.automatic", "_compat.train.loss_scales"]),
    ("train", "serialization", ["train", "_compat.train.serialization", ""]),
    ("train", "model", ["train.model", "train", "_compat.train.model_parts", ""]),
    ("train", "dataset_helper data_sink", ["train.model", "train", ""]),
    ("train", "_utils", ["_compat.train.training", "train.model", "train", ""]),
    ("train", "node_strategy_pb2", ["_compat.train.training"]),
    ("rewrite", "common", ["_compat.modules.rewrite"]),
    ("train", "mind_ir_pb2", ["_compat.train.graph_files"]),
    ("train.metrics", "accuracy auc bleu_score confusion_matrix cosine_similarity dice error fbeta loss "
     "hausdorff_distance mean_surface_distance metric occlusion_sensitivity perplexity precision recall roc "
     "root_mean_square_surface_distance topk", ["train.metrics"]),
    ("train", "callback", ["train.callback", "train"]),
    ("train.summary", "summary_record", ["train.summary", "train.summary.record", "_compat.train.summary"]),
    ("train.summary", "enums", ["_compat.train.summary_kinds"]),
    ("train.callback", "_checkpoint", ["train.callback", "_compat.train.checkpoints"]),
    ("train.callback", "_backup_and_restore _callback _early_stop _flops_collector _history "
     "_lambda_callback _landscape _loss_monitor _lr_scheduler_callback _on_request_exit _reduce_lr_on_plateau "
     "_summary_collector _time_monitor", ["train.callback"]),
    ("train.callback", "_train_fault_tolerance", ["train.left_out"]),
    ("train", "train_thor train_thor.convert_utils", ["train.left_out"]),
    ("parallel", "auto_parallel", ["parallel.auto_parallel", "parallel", "communication", ""]),
    ("parallel", "shard checkpoint_transform parameter_broadcast strategy", ["parallel", "_compat.parallel.clusters"]),
    ("parallel.nn", "parallel_cell_wrapper parallel_grad_reducer", ["parallel.nn"]),
    ("utils", "dlpack sdc_detect stress_detect utils", ["_compat.modules.utils"]),
    ("boost", "adasum base boost boost_cell_wrapper dim_reduce grad_freeze group_loss_scale_manager "
     "less_batch_normalization", ["_compat.modules.boost"]),
    ("boost", "grad_accumulation", ["_compat.modules.boost", "_compat.nn.layers"]),
    ("profiler", "profiling common common.constant", ["profiler"]),
    ("profiler", "schedule", ["profiler.schedules"]),
    ("mindrecord", "common tools", ["mindrecord"]),
    ("mindrecord.tools", "cifar10_to_mr cifar100_to_mr csv_to_mr imagenet_to_mr mnist_to_mr tfrecord_to_mr",
     ["mindrecord"]),
    ("mindrecord.common", "exceptions", ["mindrecord.exceptions"]),
    ("dataset", "engine core callback", ["dataset"]),
    ("dataset.core", "config", ["dataset.config"]),
    ("dataset.core", "datatypes", ["_compat.dataset.data_types"]),
    ("dataset.callback", "ds_callback", ["dataset.callbacks"]),
    ("dataset.engine", "config", ["dataset.config"]),
    ("dataset.engine", "datasets datasets_standard_format datasets_text datasets_user_defined datasets_vision "
     "iterators samplers", ["dataset", "dataset.node", "dataset.ordering", "dataset.samplers"]),
    ("dataset.vision", "transforms utils", ["dataset.vision", "_compat.dataset.transforms"]),
    ("dataset.vision", "c_transforms",
     ["dataset.vision", "_compat.dataset.transforms", "_compat.dataset.c_transforms"]),
    ("dataset.vision", "py_transforms", ["dataset.vision.legacy", "dataset.vision", "_compat.dataset.transforms"]),
    ("dataset.vision", "py_transforms_util", ["dataset.vision.legacy"]),
    ("dataset.text", "transforms utils", ["dataset.text", "_compat.dataset.transforms"]),
    ("dataset.audio", "transforms utils", ["dataset.audio"]),
    ("dataset.transforms", "transforms c_transforms", ["dataset.transforms", "_compat.dataset.transforms"]),
    ("dataset.transforms", "py_transforms",
     ["dataset.transforms.legacy", "dataset.transforms", "_compat.dataset.transforms"]),
    ("dataset.transforms", "py_transforms_util", ["_compat.dataset.transforms"]),
]  # fmt: skip

_ROOT = pathlib.Path(__file__).parent

# msgrad's own rooms. MindSpore has no modules of these names (its ``mindspore.tensor`` is a function), or other ones:
# its ``mindspore.tools`` checks clusters.
_PRIVATE = {
    "_compat", "_contracts", "alias", "autodiff", "bridge", "compiling", "device", "engine", "func", "initializer",
    "seeding", "tensor", "testing", "tools",
}  # fmt: skip

_MSG_MISSING = (
    "No module named '{}': msgrad {} does not have this part of MindSpore (docs/index.md lists the parts that it has)."
)
_MSG_REAL = (
    "The real mindspore is already imported in this process (from {}), so `import mindspore` cannot be made to mean "
    "msgrad. Install the alias before anything imports mindspore: run the script with `msgrad run script.py`, or put "
    "`import msgrad.alias; msgrad.alias.install()` on its first line."
)


class LegacyModule(types.ModuleType):
    """A module of MindSpore's whose names live elsewhere in msgrad."""

    def __init__(self, path, homes):
        super().__init__(f"mindspore.{path}", f"Names of MindSpore's ``mindspore.{path}``, wherever msgrad has them.")
        self.__path__ = []
        self.__spec__ = importlib.machinery.ModuleSpec(self.__name__, None, is_package=True)
        self._path = path
        self._homes = homes
        self._imported = None

    def __getattr__(self, name):
        if name == "__all__":
            names = _star_names().get(self.__name__)
            return self._found() if names is None else [n for n in names if hasattr(self, n)]
        if not name.startswith("__"):  # tools probe every module for dunder names: that must not import anything
            path = f"{self.__name__}.{name}"
            for module in self._modules():
                # A function wins over a legacy module of the same name; a file of ours does not.
                if hasattr(module, name) and not (path in LEGACY and _is_module(getattr(module, name))):
                    return getattr(module, name)
            if path in LEGACY:
                return LEGACY[path]
        raise AttributeError(f"module '{self.__name__}' has no attribute '{name}'")

    def __dir__(self):
        return sorted({*super().__dir__(), *self._found()})

    def _found(self):
        return [name for home in self._modules() for name in _public_names(home)]

    def _modules(self):
        if self._imported is None:
            homes = self._homes
            if self._path.partition(".")[0] not in _PRIVATE and _is_there(self._path):
                homes = [*homes, self._path]  # a file of ours of the same name may hold private names of MindSpore's
            self._imported = [importlib.import_module(_ours(home)) for home in homes]
        return self._imported


class _Package(types.ModuleType):
    """A package of ours with legacy modules below it."""

    def __setattr__(self, name, value):  # by which Python enters a submodule, once it is imported
        if not _is_module(value):
            super().__setattr__(name, value)
        elif not isinstance(vars(self).get(name), LegacyModule):  # which finds what a file of the same name has
            super().__setattr__(name, value)
            attach(value.__name__)


def install():
    """Makes ``import mindspore``, and every ``mindspore.*`` path that msgrad has, give msgrad. Twice does no harm.

    Names that NumPy has dropped are put back (`numpy_names`), unless ``MSGRAD_NUMPY_NAMES=off``.

    Raises:
        ImportError: if the real mindspore has already been imported in this process.
    Example:
        >>> install()
        >>> import mindspore, msgrad
        >>> mindspore is msgrad
        True
    """
    present = sys.modules.get("mindspore")
    if present is not None and present is not sys.modules["msgrad"]:
        raise ImportError(_MSG_REAL.format(getattr(present, "__file__", None)))
    numpy_names.restore()
    if _Finder not in sys.meta_path:
        sys.meta_path.insert(0, _Finder)
        sys.modules.update(LEGACY)


def load_ipython_extension(ipython):
    """Called by ``%load_ext msgrad`` in a notebook or in IPython, before the first ``import mindspore``."""
    install()


def attach(package):
    """Makes legacy modules attributes of an imported package above them (``ops.operations``), and of those below it."""
    for path, modules in _BELOW.items():
        parent = sys.modules.get(path) if f"{path}.".startswith(f"{package}.") else None
        if _is_module(parent) and not isinstance(parent, LegacyModule):  # which finds them itself
            if type(parent) is types.ModuleType:
                parent.__class__ = _Package
            # A function of the same name wins, imported or not; a file of ours does not, for it has only some of
            # MindSpore's names.
            members = dict.fromkeys(vars(parent).get("__all__", ())) | vars(parent)
            vars(parent).update({name: each for name, each in modules.items() if _is_module(members.get(name, each))})


def pytest_load_initial_conftests():
    """Called by ``pytest -p msgrad.alias``, before the first conftest.py is imported."""
    install()


@functools.cache
def _star_names():
    """What MindSpore's modules give to ``from module import *``, where that is known."""
    lines = [line.partition(": ") for line in (_ROOT / "_compat" / "star_names.txt").read_text().splitlines()[1:]]
    return {path: names.split() for path, _, names in lines}


def _is_module(value):
    return isinstance(value, types.ModuleType)


def _public_names(module):
    if hasattr(module, "__all__"):
        return [name for name in module.__all__ if not name.startswith("__")]
    return [name for name, value in vars(module).items() if name[0] != "_" and not _is_module(value)]


def _ours(path):
    return f"msgrad.{path}" if path else "msgrad"


def _is_there(path):
    file = _ROOT.joinpath(*path.split(".")) if path else _ROOT
    return file.is_dir() or file.with_suffix(".py").is_file()


def _paths():
    for package, names, homes in _ROWS:
        for name in names.split():
            yield f"{package}.{name}" if package else name, homes


def _modules_by_package():
    packages = {}
    for path, module in LEGACY.items():
        package, _, name = path.rpartition(".")
        packages.setdefault(package.replace("mindspore", "msgrad", 1), {})[name] = module
    return packages


LEGACY = {f"mindspore.{path}": LegacyModule(path, homes) for path, homes in _paths()}
_BELOW = _modules_by_package()
sys.modules.update({f"msgrad.{name}": LEGACY[f"mindspore.{name}"] for name in _SELDOM_NAMED})


class _Finder:
    """Finds ``mindspore`` and the modules below it."""

    @staticmethod
    def find_spec(fullname, path=None, target=None):
        root, _, rest = fullname.partition(".")
        if root != "mindspore":
            return None
        ours = _ours(_MOVED.get(rest, rest))
        if rest.partition(".")[0] in _PRIVATE or _spec(ours) is None:
            raise _missing(fullname)
        return importlib.machinery.ModuleSpec(fullname, _Loader(ours))

    @staticmethod
    def find_distributions(context):
        """Called by ``importlib.metadata``: libraries ask it which version of mindspore is installed."""
        is_meant = str(context.name).lower() == "mindspore"
        return [importlib.import_module("msgrad._compat.package_metadata").MindSpore()] if is_meant else []


def _missing(name):
    return ModuleNotFoundError(_MSG_MISSING.format(name, __msgrad_version__), name=name)


def _spec(name):
    try:
        return importlib.util.find_spec(name)
    except ModuleNotFoundError:  # the module above it is not there, or is not a package
        return None


class _Loader:
    """Gives the module called ``name``, as it is."""

    def __init__(self, name):
        self.name = name

    def create_module(self, spec):
        module = importlib.import_module(self.name)
        self.spec = module.__spec__
        return module

    def exec_module(self, module):
        module.__spec__ = self.spec  # the import system has just put the alias's own in its place
