"""Unsupported names of MindSpore, for other hardware, its compiler, or other processes.

A program that only imports one still runs; using it raises an error that gives the reason and an alternative.
``docs/operations.md`` lists them.
"""

import types

from ..._contracts.signature import parse
from ...tensor.tensor import Tensor
from .._core.primitive import Primitive

LEFT_OUT = {}  # the placeholder of each name, by its path
_SENTENCE = "'{}' is left out of msgrad: {}. {}"

_KERNELS = (
    "it compiles or registers kernels of MindSpore's own",
    "Write the function with the operations of mindspore.ops, which XLA compiles, or call Python through ops.Custom.",
)
_QUEUE = ("it reads the queue of a device", "Iterate over the data set and pass the Tensors on.")
_SERVER = (
    "it talks to a parameter server or its cache",
    "Read rows of a Parameter with ops.gather, and train it as usual.",
)
_PEER = (
    "it exchanges data with other processes by MindSpore's own protocol",
    "Use the collectives of mindspore.ops and mint.distributed.",
)
_SHARDED = (
    "it shards a Tensor over devices by MindSpore's layouts",
    "Use ops.reshard(tensor, layout).",
)
_FUSED = ("it joins a product with an exchange between processes", "Use ops.matmul: there is one process.")
_ATTENTION = (
    "it is a kernel of Ascend's, for caches in pages and quantised numbers",
    "Use ops.flash_attention_score with a mask.",
)
_WITHDRAWN = "MindSpore withdraws it"
_STORED = ("it hands out memory of MindSpore's own", "Use asnumpy(), data_ptr() or to_dlpack().")
_PLACED = ("JAX places the data", "Use move_to, or jax.device_put for a certain device.")


def _compiler(instead):
    return "only MindSpore's compiler inserts it into graphs", instead


# Each name with its signature, its reason and what to use instead.
_FUNCTIONS = [
    ("AiCPURegOp(op_name)", _KERNELS),
    ("AkgAscendRegOp(op_name)", _KERNELS),
    ("AkgGpuRegOp(op_name)", _KERNELS),
    ("CpuRegOp(op_name)", _KERNELS),
    (
        "CustomOpBuilder(name, sources, backend=None, include_paths=None, cflags=None, ldflags=None, **kwargs)",
        _KERNELS,
    ),
    ("TBERegOp(op_name)", _KERNELS),
    ("_ms_pyfunc(infer_func)", _KERNELS),
    ("kernel(fn=None, reg_info=None, compile_attrs=None)", _KERNELS),
    ("ms_kernel(fn=None, reg_info=None, compile_attrs=None)", _KERNELS),
    ("op_info_register(op_info)", _KERNELS),
    (
        "TCPStore(host_name, port, world_size=None, is_master=False, timeout=None, wait_for_workers=True, "
        "multi_tenant=False, master_listen_fd=None, use_libuv=True)",
        _PEER,
    ),
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
        "apply_rotary_pos_emb_(query, key, cos, sin, position_ids, cos_format=0)",
        (
            "it is a kernel of Ascend's that writes to its operands",
            "Use ops.rotary_position_embedding for each of the two.",
        ),
    ),
    (
        "lightning_indexer(query, key, weights, *, actual_seq_lengths_query=None, actual_seq_lengths_key=None, "
        "block_table=None, layout_query='BSND', layout_key='BSND', sparse_count=2048, sparse_mode=3, "
        "pre_tokens=9223372036854775807, next_tokens=9223372036854775807, return_value=False)",
        _ATTENTION,
    ),
    ("nsa_compress(input, weight, compress_block_size, compress_stride, *, actual_seq_len)", _ATTENTION),
    (
        "nsa_compress_attention(query, key, value, scale_value, head_num, compress_block_size, compress_stride, "
        "select_block_size, select_block_count, *, topk_mask=None, atten_mask=None, actual_seq_qlen, "
        "actual_cmp_seq_kvlen, actual_sel_seq_kvlen)",
        _ATTENTION,
    ),
    (
        "nsa_select_attention(query, key, value, topk_indices, scale_value, head_num, select_block_size, "
        "select_block_count, *, atten_mask=None, actual_seq_qlen, actual_seq_kvlen)",
        _ATTENTION,
    ),
    (
        "sparse_flash_attention(query, key, value, sparse_indices, scale_value, *, block_table=None, "
        "actual_seq_lengths_query=None, actual_seq_lengths_kv=None, query_rope=None, key_rope=None, "
        "sparse_block_size=1, layout_query='BSND', layout_kv='BSND', sparse_mode=3, "
        "pre_tokens=9223372036854775807, next_tokens=9223372036854775807, attention_mode=0, "
        "return_softmax_lse=False)",
        _ATTENTION,
    ),
    (
        "speed_fusion_attention(query, key, value, head_num, input_layout, *, pse=None, padding_mask=None, "
        "atten_mask=None, scale=1.0, keep_prob=1.0, pre_tokens=2147483647, next_tokens=2147483647, "
        "inner_precise=0, prefix=None, actual_seq_qlen=None, actual_seq_kvlen=None, sparse_mode=0, "
        "gen_mask_parallel=True, sync=False, pse_type=1, q_start_idx=None, kv_start_idx=None)",
        _ATTENTION,
    ),
    (
        "moe_distribute_combine(expand_x, expert_ids, expand_idx, ep_send_counts, expert_scales, ep_world_size, "
        "ep_rank_id, moe_expert_num, tp_send_counts=None, x_active_mask=None, activate_scale=None, "
        "weight_scale=None, group_list=None, expand_scales=None, group_ep=None, group_tp=None, tp_world_size=0, "
        "tp_rank_id=0, expert_shard_type=0, shared_expert_num=0, shared_export_rank_num=0, global_bs=0, "
        "out_dtype=0, common_quant_mode=0, group_list_type=0)",
        (_PEER[0], "Use ops.moe_token_unpermute."),
    ),
    (
        "moe_distribute_dispatch(x, expert_ids, ep_world_size, ep_rank_id, moe_expert_num, expert_scales=None, "
        "scales=None, x_active_mask=None, group_ep=None, group_tp=None, tp_world_size=0, tp_rank_id=0, "
        "expert_shard_type=0, shared_expert_num=0, shared_expert_rank_num=0, quant_mode=0, global_bs=0, "
        "expert_token_nums_type=0)",
        (_PEER[0], "Use ops.moe_token_permute."),
    ),
    (
        "rotated_iou(boxes, query_boxes, trans=False, mode=0, is_cross=True, v_threshold=0.0, e_threshold=0.0)",
        (_WITHDRAWN, "Use ops.iou, for boxes along the axes."),
    ),
    ("geswitch(data, pred)", _compiler("Use Python's if.")),
    ("merge(inputs)", _compiler("Use Python's if.")),
    ("_add_attr(fn, **kwargs)", _compiler("Set the attribute of the function.")),
    ("array_reduce(fn, x, shape)", _compiler("Use ops.ReduceSum or another reduction.")),
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
_PRIMITIVES = [
    ("GetNext(types, shapes, output_num, shared_name)", _QUEUE),
    ("MapCacheIdx()", _SERVER),
    ("Pull()", _SERVER),
    ("Push(optim_type='ApplyMomentum', only_shape_indices=None)", _SERVER),
    ("_AllSwap(group='hccl_world_group')", _PEER),
    ("Reshard(in_layout, out_layout, in_strategy)", _SHARDED),
    (
        "DumpGradient()",
        ("it runs on Ascend alone", "Save the gradient in a function given to ops.InsertGradientOf or register_hook."),
    ),
    (
        "ApplyRotaryPosEmb(cos_format=0)",
        (
            "it is a kernel of Ascend's without a documentation",
            "Use ops.rotary_position_embedding for each of the two.",
        ),
    ),
    (
        "GroupTopk()",
        ("it is a kernel of Ascend's without a documentation", "Use ops.topk over the groups, then inside of them."),
    ),
    (
        "SampleDistortedBoundingBoxV2(seed=0, seed2=0, aspect_ratio_range=(0.75, 1.33), area_range=(0.05, 1.0), "
        "max_attempts=100, use_image_if_no_bounding_boxes=False)",
        (_WITHDRAWN, "Draw the corners with NumPy where the images are loaded, and crop there."),
    ),
    ("GeSwitch()", _compiler("Use Python's if.")),
    ("Merge()", _compiler("Use Python's if.")),
    ("J(fn)", _compiler("Use mindspore.vjp.")),
    ("PyExecute()", _compiler("Call the function, or ops.PyFunc.")),
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
_METHODS_OF_PRIMITIVES = [
    ("set_hook_fn(self, fn, hook_type)", _compiler("Use ops.HookBackward, or Tensor.register_hook.")),
]


class LeftOutError(NotImplementedError, AttributeError):
    """An attribute of an unsupported name was read; it is an AttributeError, so ``hasattr`` gives False."""


class LeftOut:
    """A placeholder for an unsupported name: calling it, reading an attribute and subclassing raise;
    nothing is an instance of it.

    Args:
        owner (str): the path of the module or class that it belongs to, without ``mindspore``.
        text (str): its name with the reference's signature, ``"recompute_block(fn)"``, or alone.
        reason (tuple of str): why, and what to use instead, a sentence.
    Raises:
        NotImplementedError: on use.
    """

    def __init__(self, owner, text, reason):
        self.__name__ = f"{owner}.{text.partition('(')[0]}"
        self._text = text
        self.__doc__ = _SENTENCE.format(self.__name__, *reason)
        self.reason = reason

    @property
    def __signature__(self):
        return parse(self._text)[1]

    def __call__(self, *args, **kwargs):
        raise NotImplementedError(self.__doc__)

    def __getattr__(self, name):
        if name.startswith("__"):  # tools probe for these
            raise AttributeError(name)
        raise LeftOutError(self.__doc__)

    def __instancecheck__(self, value):
        return False

    def __mro_entries__(self, bases):
        raise NotImplementedError(self.__doc__)

    def __repr__(self):
        return f"<{self.__name__}, which is left out>"


class LeftOutPrimitive(LeftOut):
    """A placeholder for an unsupported Primitive: programs construct it in advance, so only its call raises."""

    def __call__(self, *args, **kwargs):
        return _Idle(self)


class _Idle(Primitive):
    """An object of an unsupported Primitive."""

    def __init__(self, kind):
        super().__init__(kind.__name__.rpartition(".")[2])
        self._sentence = kind.__doc__

    def __call__(self, *args, **kwargs):
        raise NotImplementedError(self._sentence)


def leave_out(owner, prefix, rows, kind=LeftOut):
    """Sets placeholders for unsupported names as attributes of a module or class.

    Args:
        owner (module | type): of the names.
        prefix (str): its path, without ``mindspore``.
        rows (list of tuple): each name with its signature, and why and what to use instead.
        kind (type): of the placeholders. Default: `LeftOut`.
    Returns:
        list of str, the names.
    Raises:
        NameError: if it has one of the names.
    """
    names = []
    for text, reason in rows:
        name = text.partition("(")[0]
        if name in vars(owner):
            raise NameError(f"'{prefix}.{name}' is defined, but also listed as left out.")
        placeholder = LEFT_OUT[f"{prefix}.{name}"] = kind(prefix, text, reason)
        setattr(owner, name, placeholder)
        names.append(name)
    return names


NAMES = types.SimpleNamespace()  # those of ``ops``
leave_out(NAMES, "ops", _FUNCTIONS)
leave_out(NAMES, "ops", _PRIMITIVES, LeftOutPrimitive)
leave_out(Tensor, "Tensor", _METHODS)
leave_out(Primitive, "ops.Primitive", _METHODS_OF_PRIMITIVES)
