"""Numbers beyond 64 bits or 2**31, powers that overflow, and shapes, dtypes and indices that just fit or do not."""

_INTS = ("int8", "uint8", "int16", "int32", "int64", "uint32")
_POWERS = ("3,20", "3,25", "-3,25", "-3,20", "7,30", "2,31", "2,100", "-2,63", "0,-1", "2,-1", "-1,-3", "-1,65", "5,13")
_LARGE = ("2**31", "2**40", "-2**40", "2**63", "2**64-1")
_UNITS = "T([[1.,0.],[3.,4.]]),T([[4.,-3.],[3.,4.]])"
_CONVOLVED = {
    "nn.Conv1d(2,3,2)": ["1,2,5", "2,5"],
    "nn.Conv2d(2,3,2)": ["1,2,5,5", "2,5,5"],
    "nn.Conv3d(2,3,2)": ["1,2,4,4,4", "2,4,4,4"],
    "nn.Conv3dTranspose(2,3,2)": ["1,2,4,4,4", "2,4,4,4"],
}

LIMITS = [
    *[
        f"ops.pow(T([{base}],ms.{dtype}),T([{exponent}],ms.{dtype}))"
        for dtype in _INTS
        for base, exponent in (each.split(",") for each in _POWERS)
        if not (dtype.startswith("u") and "-" in base + exponent)
    ],
    *["T([2,3],ms.int64)**100", "T([2,3],ms.int32)**40", "3**T([20,21],ms.int32)", "mnp.power(T([3],ms.int32),25)"],
    *[f"T({number})" for number in (*_LARGE, "2**64", "-2**63-1", "2**70")],
    *[f"T({number},ms.float32)" for number in ("2**64", "-2**63-1")],
    *[
        f"{made}({number},dtype={dtype})"
        for made in ("mnp.array", "mnp.asarray")
        for number in (*_LARGE, "0.1", "1e300", "[2**40,1]", "[0.1,1e300]")
        for dtype in ("ms.int64", "ms.float64", "ms.float32")
        if not ("." in number or "e" in number) or dtype == "ms.float64"
    ],
    *[f"ops.cast({number},ms.{dtype})" for number in _LARGE for dtype in ("int64", "uint64", "float32", "float64")],
    *[f"ops.full((1,),{number},dtype=ms.{dtype})" for number in ("2**63", "2**40") for dtype in ("float32", "int64")],
    *[f"ops.fill(ms.{dtype},(1,),2**63)" for dtype in ("float32", "float64", "uint64")],
    # vectors of other ranks
    *[
        f"ops.addr({base},{left},{right})"
        for base in ("f(2,3)", "f(3)")
        for left, right in (
            ("f(2,1)", "f(3)"),
            ("f(1,2)", "f(1,3)"),
            ("f(2)", "f(3,1)"),
            ("T(2.)", "f(3)"),
            ("f(2)", "T(2.)"),
            ("f(2,2)", "f(3)"),
        )
    ],
    "f(2,3).addr(f(2,1),f(3),beta=2,alpha=0.5)",
    "ms.grad(ops.addr,(0,1,2))(f(2,3),f(2,1),f(3))",
    # labels that broadcast with the cosines, which those of the function may not
    *[
        f"{loss}({_UNITS},T({labels},ms.int32))"
        for loss in ("nn.CosineEmbeddingLoss(reduction='none')", "ops.cosine_embedding_loss")
        for labels in ("[1,-1]", "[1]", "-1", "[[1],[-1]]", "[[1,-1]]", "[1,1,1]")
    ],
    # a wrong dtype and a wrong number of axes at once
    *[
        f"{layer}(T(np.ones(({shape}),np.{dtype})))"
        for layer, (_, shape) in _CONVOLVED.items()
        for dtype in ("float32", "float16", "int32")
    ],
    *[f"ops.conv{n}d(T(np.ones({(2,) * rank},np.int32)),ops.ones({(2,) * (n + 2)}))" for n, rank in ((1, 2), (2, 3))],
    *[f"nn.MaxPool2d(2)(T(np.ones(({shape}),np.bool_)))" for shape in ("1,2,4,4", "2,4,4")],
    # indices beyond the result
    *[
        f"{call}(T([[[[1.,2.],[3.,4.]]]]),T([[[[{index},1],[2,3]]]]){rest})"
        for call, rest in (("nn.MaxUnpool2d(2)", ""), ("ops.max_unpool2d", ",2"))
        for index in (0, 15, 16, -1)
    ],
    *[f"nn.MaxUnpool1d(2)(T([[[1.,2.]]]),T([[[{index},1]]]))" for index in (3, 4, -1)],
    *[f"nn.MaxUnpool3d(1)(T([[[[[1.]]]]]),T([[[[[{index}]]]]]))" for index in (0, 1, -1)],
    *[f"made(nn.RReLU({bounds}))" for bounds in ("0.5,0.1", "0.1,0.5", "0.3,0.3", "-1,2", "'a',1")],
    *[f"nn.SampledSoftmaxLoss(3,6,seed=1)(f(6,2),{bias},T([[1],[4]]),f(2,2)).shape" for bias in ("f(6)", "f(6,1)")],
    # no elements, no Tensors, and shapes and numbers that do not fit
    *[f"ops.{name}fft(f({shape}))" for name in ("", "i", "r", "h", "ih") for shape in ("0", "2,0")],
    *[f"ops.{name}fftn(f(2,0))" for name in ("", "r")],
    *[
        f"ops.lu_unpack({of})"
        for of in (
            "f(3,3),T([1,2,3],ms.int32)",
            "f(3,3),T([2,3,3],ms.int64)",
            "f(3,3),T([1,2],ms.int32)",
            "f(3,3),T([1,2,9],ms.int32)",
            "f(3,3),T([0,1,2],ms.int32)",
            "f(3,3),T([1.,2.,3.])",
            "f(2,3,3),T([1,2,3],ms.int32)",
            "f(2,3,3),T([[1,2,3],[2,2,3]],ms.int32)",
        )
    ],
    *[f"ops.orgqr({of})" for of in ("f(2,3),f(2)", "f(3,2),f(1,2)", "f(2,3),f(2,3)", "f(3),f(2)", "f(3,2),f(3)")],
    *[
        f"ops.trapz({of})"
        for of in (
            "f()",
            "f(3),f(2)",
            "f(3),f(1)",
            "f(2,3),f(2)",
            "f(2,3),f(3),dim=0",
            "f(2,3),f(2),dim=0",
            "f(2,3),f(1,3)",
            "f(3),f(2,3)",
        )
    ],
    *[
        f"ops.sequence_mask({of})"
        for of in ("f(3)", "T([1,2],ms.int8)", "T([],ms.int32)", "T([-1,-2])", *(f"T([1,2]),{n}" for n in (-1, 0, 3)))
    ],
    *[f"ops.einsum('{of},f(2,3))" for of in ("i1'", "i$'", "'", "ij->ji->'", "ij->k'", "ijk'", "ij->ji'")],
    "ops.einsum('ij')",
    *[f"ops.{name}({none})" for name in ("vstack", "dstack", "hstack", "concat", "stack") for none in ("[]", "()")],
    "ops.block_diag()",
    "ops.coo_concat([])",
    "ops.coo_concat([ms.COOTensor(T([[0,1]]),T([2.]),(1,3))])",
    "ops.partial(3)",
    *[f"mint.{name}({of})" for name in ("add", "sub") for of in ("(),(0,0)", "[1],[2]", "(1,),2")],
    *[f"mnp.{name}({none})" for name in ("stack", "concatenate", "vstack") for none in ("[]", "()")],
    "mnp.arange(f(2,3))",
    *[f"mnp.{call}" for call in ("zeros_like(f(2),[])", "array(f(2),[])", "sum(f(2),dtype=[])", "full(2,1,[1])")],
    # values of a fill, gathered numbers, rotations in axes that are none, and layers in the place of others
    *[
        call.format(value)
        for call in (
            "f(2,2).fill({})",
            "ops.fill(ms.float32,(2,2),{})",
            "ops.full((2,2),{})",
            "ops.full_like(f(2,2),{})",
        )
        for value in ("f(1)", "f()", "f(2)", "f(1,1)")
    ],
    *[f"ops.gather(f(),T({index}),{axis})" for index in (0, [0]) for axis in (0, -1, 1)],
    "ops.index_select(f(),0,T([0]))",
    *[
        f"ops.rot90({of})"
        for of in ("f(3),1,(0,1)", *(f"f(2,3),1,({d})" for d in ("0,2", "0,0", "0,", "0,-2", "-1,0")))
    ],
    *[f"nn.Identity({arguments})(3)" for arguments in ("", "1", "1,'x',unused=2")],
    *[
        f"ops.scatter_div(ms.Parameter(T({start}),name='p'),T([0,1],ms.int32),T({updates}))"
        for start, updates in (
            ("[4.,6.]", "[1.,2.]"),
            ("[4.,6.]", "[1.,0.]"),
            ("[4.,6.]", "[-0.,2.]"),
            ("[4,6]", "[0,2]"),
        )
    ],
]
