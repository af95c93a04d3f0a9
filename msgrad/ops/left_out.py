"""Names of MindSpore that drive what is not here: other hardware, its compiler, other processes.

A program that only mentions one still starts; what it then does with it raises one sentence, which says why and what
to use instead. ``docs/operations.md`` lists them.
"""

import types

from ..tensor.tensor import Tensor
from .primitive import Primitive
from .signature import parse

LEFT_OUT = {}  # what stands for each name, by its path
_SENTENCE = "'{}' is left out of msgrad: {}. {}"

_KERNELS = (
    "it compiles or registers kernels of MindSpore's own",
    "Write the function with the operations of mindspore.ops, which XLA compiles, or call Python through ops.PyFunc.",
)
_STATUS = ("it reads a register of Ascend's", "Ask whether the numbers are finite: ops.isfinite(x).all().")
_QUEUE = ("it reads the queue of a device", "Iterate over the data set and pass the Tensors on.")
_SERVER = (
    "it talks to a parameter server or its cache",
    "Read rows of a Parameter with ops.gather, and train it as usual.",
)
_PEER = (
    "it exchanges data with another process, and a program of msgrad is a group of one",
    "Call it only where get_world_size() is more than 1.",
)
_SHARDED = (
    "it places parts of a Tensor on devices by MindSpore's layouts",
    "Place the array with jax.device_put and a jax.sharding.NamedSharding.",
)
_FUSED = ("it joins a product with an exchange between processes", "Use ops.matmul: there is one process.")
_STORED = ("it hands out memory of MindSpore's own", "Use asnumpy(), data_ptr() or to_dlpack().")
_PLACED = ("JAX places the data", "Use move_to, or jax.device_put for a certain device.")


def _compiler(instead):
    return "MindSpore's compiler alone puts it into its graphs", instead


# Each name with its signature, its reason and what to use instead.
_FUNCTIONS = [
    ("AiCPURegOp(op_name)", _KERNELS),
    ("AkgAscendRegOp(op_name)", _KERNELS),
    ("AkgGpuRegOp(op_name)", _KERNELS),
    ("CpuRegOp(op_name)", _KERNELS),
    ("Custom(func, out_shape=None, out_dtype=None, func_type='pyfunc', bprop=None, reg_info=None)", _KERNELS),
    (
        "CustomOpBuilder(name, sources, backend=None, include_paths=None, cflags=None, ldflags=None, **kwargs)",
        _KERNELS,
    ),
    ("CustomRegOp(op_name='Custom')", _KERNELS),
    ("DataType()", _KERNELS),
    ("TBERegOp(op_name)", _KERNELS),
    ("_ms_pyfunc(infer_func)", _KERNELS),
    ("custom_info_register(*reg_info)", _KERNELS),
    ("kernel(fn=None, reg_info=None, compile_attrs=None)", _KERNELS),
    ("ms_kernel(fn=None, reg_info=None, compile_attrs=None)", _KERNELS),
    ("op_info_register(op_info)", _KERNELS),
    ("NPUAllocFloatStatus()", _STATUS),
    ("NPUClearFloatStatus()", _STATUS),
    ("NPUGetFloatStatus()", _STATUS),
    ("GetNext(types, shapes, output_num, shared_name)", _QUEUE),
    ("MapCacheIdx()", _SERVER),
    ("Pull()", _SERVER),
    ("Push(optim_type='ApplyMomentum', only_shape_indices=None)", _SERVER),
    (
        "BatchISendIRecv(op_types, remote_ranks, receive_shapes=None, receive_dtypes=None, group='hccl_world_group')",
        _PEER,
    ),
    (
        "NeighborExchange(send_rank_ids, recv_rank_ids, recv_shapes, send_shapes, recv_type, group='hccl_world_group')",
        _PEER,
    ),
    (
        "NeighborExchangeV2(send_rank_ids, send_lens, recv_rank_ids, recv_lens, data_format, group='hccl_world_group')",
        _PEER,
    ),
    ("P2POp(op, tensor, peer, group=None, tag=0)", _PEER),
    (
        "Receive(sr_tag, src_rank, shape, dtype, group='hccl_world_group', group_back='hccl_world_group')",
        _PEER,
    ),
    ("Send(sr_tag, dest_rank, group='hccl_world_group', group_back='hccl_world_group')", _PEER),
    (
        "TCPStore(host_name, port, world_size=None, is_master=False, timeout=None, wait_for_workers=True, "
        "multi_tenant=False, master_listen_fd=None, use_libuv=True)",
        _PEER,
    ),
    ("_AllSwap(group='hccl_world_group')", _PEER),
    ("batch_isend_irecv(p2p_op_list)", _PEER),
    ("irecv(tensor, src=0, group=None, tag=0)", _PEER),
    ("isend(tensor, dst=0, group=None, tag=0)", _PEER),
    ("recv(tensor, src=0, group=None, tag=0)", _PEER),
    ("recv_object_list(object_list, src=0, group=None, device=None)", _PEER),
    ("send(tensor, dst=0, group=None, tag=0)", _PEER),
    ("send_object_list(object_list, dst, group=None, device=None)", _PEER),
    ("Reshard(in_layout, out_layout, in_strategy)", _SHARDED),
    ("reshard(tensor, layout)", _SHARDED),
    (
        "all_gather_matmul(input, x2, group, world_size, *, bias=None, gather_index=0, gather_output=True, "
        "comm_turn=0, trans_input=False, trans_x2=False)",
        _FUSED,
    ),
    (
        "matmul_reduce_scatter(input, x2, group, world_size, *, reduce_op='sum', bias=None, comm_turn=0, "
        "trans_input=False, trans_x2=False)",
        _FUSED,
    ),
    (
        "DumpGradient()",
        ("it runs on Ascend alone", "Save the gradient in a function given to ops.InsertGradientOf or register_hook."),
    ),
    ("GeSwitch()", _compiler("Use ops.cond, or Python's if.")),
    ("geswitch(data, pred)", _compiler("Use ops.cond, or Python's if.")),
    ("Merge()", _compiler("Use ops.cond, or Python's if.")),
    ("merge(inputs)", _compiler("Use ops.cond, or Python's if.")),
    ("J(fn)", _compiler("Use mindspore.vjp.")),
    ("PyExecute()", _compiler("Call the function, or ops.PyFunc.")),
    ("_add_attr(fn, **kwargs)", _compiler("Set the attribute of the function.")),
    ("array_reduce(fn, x, shape)", _compiler("Use ops.ReduceSum and its like.")),
    ("distribute(value)", _compiler("Use the value itself.")),
    ("embed(value)", _compiler("Use mindspore.grad.")),
    ("env_get(env, parameter)", _compiler("Use mindspore.grad.")),
    ("environ_add(first, second)", _compiler("Use mindspore.grad.")),
    ("environ_create()", _compiler("Use mindspore.grad.")),
    ("environ_get(env, key, default)", _compiler("Use mindspore.grad.")),
    ("environ_set(env, key, value)", _compiler("Use mindspore.grad.")),
    ("ref_to_embed(parameter)", _compiler("Use mindspore.grad.")),
    ("is_dynamic_sequence_element_unknown(items)", _compiler("Every sequence has known elements here.")),
    ("make_map_parameter(key, value, default)", _compiler("Use a dict of Parameters.")),
    ("recompute_block(fn)", _compiler("Use mindspore.recompute.")),
]
_METHODS = [
    ("delete_(self, non_blocking=False)", ("JAX frees memory when nothing refers to it", "Use del.")),
    ("getitem_index_info(data, index, is_ascend)", _compiler("Use x[index].")),
    ("setitem_index_info(data, index, value, is_ascend)", _compiler("Use x[index] = value.")),
    ("index(self, indices)", ("MindSpore has it on Ascend alone", "Use x[indices].")),
    ("pin_memory(self, device=None)", _PLACED),
    ("to_(self, device=None, non_blocking=False)", _PLACED),
    ("remove_hook(handle_id)", ("hooks are removed by their handles", "Use handle.remove().")),
    ("set_cast_dtype(self, dtype)", _compiler("Use Cell.to_float, or x.astype.")),
    ("set_device_address(self, addr, shape, dtype)", _STORED),
    ("set_param_info(self, param_info)", _compiler("Set the attributes of the Parameter.")),
    ("storage(self)", _STORED),
    ("untyped_storage(self)", _STORED),
]
_PRIMITIVE = [
    ("set_hook_fn(self, fn, hook_type)", _compiler("Use ops.HookBackward, or Tensor.register_hook.")),
]


class LeftOutError(NotImplementedError, AttributeError):
    """Something of a name that is left out was asked for; ``hasattr`` says that it is not there."""


class LeftOut:
    """What stands for a name that is left out: calling it, reading an attribute and making a subclass of it raise.

    Args:
        path (str): its name, ``"ops.Custom"``.
        signature (inspect.Signature): the reference's.
        reason (tuple of str): why, and what to use instead, a sentence.
    Raises:
        NotImplementedError: on use.
    """

    def __init__(self, path, signature, reason):
        self.__name__ = path
        self.__signature__ = signature
        self.__doc__ = _SENTENCE.format(path, *reason)
        self.reason = reason

    def __call__(self, *args, **kwargs):
        raise NotImplementedError(self.__doc__)

    def __getattr__(self, name):
        if name.startswith("__"):  # tools probe for these
            raise AttributeError(name)
        raise LeftOutError(self.__doc__)

    def __mro_entries__(self, bases):
        raise NotImplementedError(self.__doc__)

    def __repr__(self):
        return f"<{self.__name__}, which is left out>"


def _leave_out(owner, prefix, rows):
    for text, reason in rows:
        name, signature = parse(text)
        if name in vars(owner):
            raise NameError(f"'{prefix}.{name}' is there, and left out too.")
        made = LEFT_OUT[f"{prefix}.{name}"] = LeftOut(f"{prefix}.{name}", signature, reason)
        setattr(owner, name, made)


NAMES = types.SimpleNamespace()  # those of ``ops``
_leave_out(NAMES, "ops", _FUNCTIONS)
_leave_out(Tensor, "Tensor", _METHODS)
_leave_out(Primitive, "ops.Primitive", _PRIMITIVE)
