"""Tensor methods by the keywords of each of their signatures, and shapes that do not go together."""

_WAVE = "f(2,3)"

KEYWORDS = [
    *[
        f"{_WAVE}.{call}"
        for call in (
            "matmul(other=f(3,2))", "matmul(tensor2=f(3,2))", "matmul(f(3,2))", "addcdiv(f(2,3),f(2,3)+1,f(1)+2)",
            "narrow(axis=1,start=0,length=1)", "narrow(1,0,2)", "unsqueeze(axis=1)",
            "unsqueeze(dim=1)", "logical_and(y=f(2,3))", "logical_and(other=f(2,3))", "logical_or(y=True)",
            "logical_xor(f(2,3))", "isclose(x2=f(2,3))", "isclose(f(2,3)+1,1.,1.,True)", "isclose(other=f(2,3),rtol=1)",
            "sub(y=2)", "sub(2,alpha=2)", "sub(other=f(2,3),alpha=3)", "sub([1,2,3])",
        )
    ],
    *[
        f"{_WAVE}.{call}"
        for call in (
            *[f"sub_({value})" for value in ("y=2", "y=f(2,3)", "y=[1,2,3]", "y=True", "y=None", "y=f(2,3),alpha=2")],
            "sub_([1,2,3])", "sub_(other=2,alpha=3)", "sub_(f(2,3),2)", "sub_()", "add_([1,2,3])", "add_((1,2,3))",
            "add_(y=2)", "mul_(y=2)", "mul_([1,2,3])", "div_(f(2,3),'floor')", "div_([1,2,3])", "floor_divide_(y=2)",
            "remainder_(y=2)", "scatter_(axis=0,index=n(2,3),src=f(2,3))", "scatter_(0,n(2,3),f(2,3),'add')",
            "scatter_add_(axis=0,index=n(2,3),src=f(2,3))", "index_fill_(axis=0,index=n(2),value=2.)",
            "index_copy_(dim=0,index=n(2),source=f(2,3))", "masked_scatter_(mask=f(2,3)>2,tensor=f(6))",
            "index_add_(axis=0,index=n(2),source=f(2,3))", "copy_(other=f(2,3))", "copy_(2.)", "fill_([2.])",
            "set_(f(2))", "set_(f(2,3),0,(2,))", "set_(source=f(2,3),storage_offset=1,size=[2,2],stride=None)",
            "set_(f(2,3),1,(2,),(3,))", "set_(f(2,3),1)", "set_(source=f(2,3),stride=(1,))",
        )
    ],
    "f(3,3).addmm(f(2,3),f(3,2))", "f(2,2).addmm(f(2,3),f(2,2))", "f(2).addmv(f(2,3),f(2))",
    "f(4).addmv(f(2,3),f(3))", "f(2,2).addbmm(f(5,2,3),f(4,3,2))", "f(5,2,2).baddbmm(f(5,2,3),f(5,2,2))",
    "f(5,2,3).baddbmm(f(5,2,3),f(5,3,2))", "f(5,2).addr(f(2),f(5))", "ops.addcmul(f(2),f(3),f(3))",
    "ops.lerp(f(2),f(3),f(3))", "ops.where(f(2)>0,f(3),f(3))", "ops.clamp(f(2),f(3),f(3))",
]  # fmt: skip
