"""Writes ``standard_methods.json``: what functions of MindSpore's ``_extends.parse.standard_method`` give for a call.

GLOG_v=4 ORACLE_PYTHON tests/golden/make_standard_methods.py

Each row has the index of the arguments in `arguments`, the first that the function takes, and the result; of a
function in `CALLS` the index means nothing.
"""

import inspect
import json
import pathlib

import numpy as np

X, Y, V, I = "T([[0.5,0.25],[0.125,0.75]])", "T([[0.75,0.5],[0.25,1.0]])", "T([0.5,2.0])", "T([1,0])"  # noqa: E741
M = "T([[True,False],[True,True]])"
COO = "ms.COOTensor(T([[0,1],[1,0]]),T([1.,-2.]),(2,2))"
CSR = "ms.CSRTensor(T([0,1,2],ms.int32),T([1,0],ms.int32),T([1.,-2.]),(2,2))"
# The arguments of functions that take none of `arguments`, or could take them for something else.
CALLS = {
    "H": X,
    "T": X,
    "T_": X,
    "mT": X,
    "data": X,
    "_getitem": f"{X},0",
    "_setitem": f"{X},0,1.0",
    "getitem": f"{X},(0,1)",
    "setitem": f"{X},0,1.0",
    "_infer_out_shape": "(2,1),(3,)",
    "addmm_": f"{X},{X},{Y}",
    "addmv": f"{V},{X},{V}",
    "addr": f"{X},{V},{V}",
    "all_": f"{M},0",
    "and_": f"{I},T([3,1])",
    "angle": X,
    "any_": f"{M},1,True",
    "bool_": "T(1)",
    "bool_func": "1",
    "broadcast_to": f"{V},(2,2)",
    "cholesky": "T([[4.,2.],[2.,3.]])",
    "cholesky_inverse": "T([[2.,0.],[1.,3.]])",
    "choose": "T([0,1]),[[1,2],[3,4]]",
    "clamp_": f"{X},0.2,0.6",
    "col2im": "T(np.ones((1,1,4,4),'float32')),T([3,3],ms.int32),(2,2),(1,1),(0,0),(1,1)",
    "coo_abs": COO,
    "coo_add": f"{COO},{COO},T(0.)",
    "coo_astype": f"{COO},ms.float16",
    "coo_coalesce": COO,
    "coo_to_csr": COO,
    "coo_to_dense": COO,
    "coo_to_tuple": COO,
    "cross": "T([1.,2.,3.]),T([0.,1.,2.])",
    "csr_abs": CSR,
    "csr_add": f"{CSR},{CSR},T(2.),T(3.)",
    "csr_astype": f"{CSR},ms.float16",
    "csr_mm": f"{CSR},{CSR}",
    "csr_mv": f"{CSR},T([[1.],[2.]])",
    "csr_softmax": f"{CSR},ms.float32",
    "csr_sum": f"{CSR},1",
    "csr_to_coo": CSR,
    "csr_to_dense": CSR,
    "csr_to_tuple": CSR,
    "delete_": X,
    "diagonal_scatter": f"{X},{V},0",
    "dict_func": "(('a',1),)",
    "dsplit": "T(np.arange(8.).reshape(1,2,4)),2",
    "enumerate_": "(5,6),1",
    "erfinv_": X,
    "exist_tensor": f"(1,{X})",
    "expand": f"{V},(2,2)",
    "expand_tensor_as": f"{V},{X}",
    "fill_diagonal": f"{X},3.0",
    "fills": f"{X},2.0",
    "filter_": "lambda x:x>1,(1,2,3)",
    "flip": f"{X},(0,)",
    "float_bool": "0.5",
    "float_floordiv": "7.5,2.0",
    "float_func": "3",
    "fmin": f"{X},{Y}",
    "fold": "T(np.ones((1,4,4),'float32')),(3,3),(2,2)",
    "func_bool": "len",
    "gather": f"{X},{I},0",
    "gather_elements": f"{X},0,T([[1,0],[0,1]])",
    "gather_nd": f"{X},T([[0,1]])",
    "get_tensor_num": f"(1,{X})",
    "hasattr": f"{X},'shape'",
    "hypermap_dynamic_list": "lambda x:x+1,[1,2]",
    "hypermap_dynamic_tuple": "lambda x:x+1,(1,2)",
    "index_add": f"{X},0,T([0,1],ms.int32),{Y}",
    "index_add_": f"{X},0,T([0,1],ms.int32),{Y}",
    "index_fill": f"{X},0,T([0],ms.int32),2.0",
    "index_put": f"{X},(T([0]),T([1])),T([3.])",
    "index_put_": f"{X},(T([0]),T([1])),T([3.])",
    "index_select": f"{X},0,{I}",
    "inplace_scatter_add": f"{X},0,T([[1,0]]),{Y}",
    "inplace_update": f"{X},T([[1.,2.]]),(0,)",
    "int_bool": "2",
    "int_func": "'12',8",
    "item": "T([2.5])",
    "itemsize_": X,
    "list_func": "(1,2)",
    "lu_solve": "T([[1.],[2.]]),T([[2.,1.],[0.5,1.]]),T([1,2],ms.int32)",
    "masked_fill": f"{X},{M},2.0",
    "masked_scatter": f"{X},{M},{Y}",
    "masked_select": f"{X},{M}",
    "max_tensor": "T(3),T(5)",
    "min_tensor": "T(3),T(5)",
    "ms_hasnext": "(1,)",
    "ms_len": "(1,2)",
    "ms_max": "1,5,3",
    "ms_max_one_element": "(1,5)",
    "ms_min": "1,5,3",
    "ms_min_one_element": "(4,2)",
    "ms_next": "(1,2)",
    "ms_sum": "(1,2,3)",
    "nanquantile": f"{V},0.5",
    "narrow": f"{X},0,1,1",
    "nbytes_": X,
    "none_bool": "None",
    "or_": f"{I},T([2,1])",
    "orgqr": "T([[1.,0.],[0.5,1.]]),T([1.,0.5])",
    "ormqr": f"T([[1.,0.],[0.5,1.]]),T([1.,0.5]),{X}",
    "put_": f"{X},T([0,3]),T([5.,6.])",
    "quantile": f"{V},0.5",
    "real_bool_": "T(1)",
    "renorm": f"{X},2,0,0.5",
    "reverse": f"{X},(1,)",
    "reverse_sequence": f"{X},T([1,2]),1",
    "roll": f"{X},1,0",
    "rot90": f"{X},1,(0,1)",
    "round_": "T([1.4,2.6])",
    "scalar_floordiv": "7,2",
    "scalar_truediv": "7,2",
    "scatter": f"{X},0,T([[1,0]]),{Y}",
    "select": f"{X},{M},{Y}",
    "select_scatter": f"{X},{V},0,1",
    "sequence_index": "(1,2,3),2",
    "sign_": X,
    "size_": X,
    "slice_get_start": "slice(1,2,3)",
    "slice_get_step": "slice(1,2,3)",
    "slice_get_stop": "slice(1,2,3)",
    "sparse_ndim_": COO,
    "sparse_size_": COO,
    "str_bool": "'a'",
    "str_func": "3",
    "strides_": X,
    "tanh_": X,
    "tensor_bool": "T(1)",
    "tensor_sactter_div": f"{X},T([[0,1]]),T([2.])",
    "tensor_scatter_add": f"{X},T([[0,1]]),T([2.])",
    "tensor_scatter_max": f"{X},T([[0,1]]),T([2.])",
    "tensor_scatter_min": f"{X},T([[0,1]]),T([2.])",
    "tensor_scatter_mul": f"{X},T([[0,1]]),T([2.])",
    "tensor_scatter_sub": f"{X},T([[0,1]]),T([2.])",
    "to_": f"{X},'CPU'",
    "to_bfloat16": "T(2.5)",
    "to_bool": "T(2.5)",
    "to_byte": "T(2.5)",
    "to_double": "T(2.5)",
    "to_float": "T(2.5)",
    "to_half": "T(2.5)",
    "to_int": "T(2.5)",
    "to_long": "T(2.5)",
    "tuple_func": "[1,2]",
    "uadd": "T(2)",
    "unfold": "T(np.arange(9.,dtype='float32').reshape(1,1,3,3)),2",
    "unique_with_pad": "T([1,1,2]),0",
    "unsorted_segment_max": f"{V},{I},2",
    "unsorted_segment_min": f"{V},{I},2",
    "unsorted_segment_prod": f"{V},{I},2",
    "usub": "T(2)",
    "value_": X,
    "where": f"{X},{M},{Y}",
    "zero_": X,
}


# Random numbers, hooks, and what gives None outside of graphs.
SKIPPED = {
    "bernoulli", "bernoulli_", "cauchy", "exponential_", "log_normal", "ms_zip", "multinomial", "normal_",
    "random_categorical", "register_hook", "uniform", "uniform_",
}  # fmt: skip


def call(function, name, index, ms):
    """What a function gives for its arguments in `CALLS`, or for those of an index in `arguments`."""
    if name in CALLS:
        return as_data(function(*eval(f"({CALLS[name]},)", {"ms": ms, "T": ms.Tensor, "np": np})))
    return as_data(function(*arguments(ms)[index]))


def arguments(ms):
    """Arguments to try, in order, made anew: functions may write to them."""
    x = ms.Tensor(np.array([[0.5, 0.25], [0.125, 0.75]], np.float32))
    y = ms.Tensor(np.array([[0.75, 0.5], [0.25, 1.0]], np.float32))
    ints = ms.Tensor(np.array([[3, 5], [6, 9]], np.int32))
    return [(x,), (x, y), (x, 1), (x, y, y), (ints,), (ints, ints), (x, (4,)), (x, ms.int32), (x[0], y[0]), (x, 0, 1)]


def as_data(value):
    """A result, for JSON: of a Tensor the dtype and the numbers, real and imaginary."""
    if hasattr(value, "to_tuple"):
        value = value.to_tuple()
    if isinstance(value, (tuple, list, zip, enumerate)):
        return [as_data(item) for item in value]
    if hasattr(value, "asnumpy"):
        numbers = value.asnumpy()
        return [str(value.dtype), np.stack([numbers.real, numbers.imag]).astype(float).tolist()]
    return repr(value)


def main():
    """Writes the file."""
    import mindspore as ms
    from mindspore._extends.parse import standard_method

    rows = {}
    for name, function in sorted(vars(standard_method).items()):
        if not inspect.isfunction(function) or function.__module__ != standard_method.__name__ or name in SKIPPED:
            continue
        for index in range(1 if name in CALLS else len(arguments(ms))):
            try:
                rows[name] = [index, call(function, name, index, ms)]
                break
            except Exception:  # the function takes other arguments, or works in graphs alone
                continue
    lines = [f"{json.dumps(name)}: {json.dumps(row)}" for name, row in rows.items()]
    pathlib.Path(__file__).with_name("standard_methods.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
