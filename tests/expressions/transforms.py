"""Arguments that `grad`, `vjp`, `jvp`, Jacobians and `vmap` refuse."""

_SQUARE = "ops.square"
_DIRECTIONS = (
    "f(2),None", "f(2),3", "3,f(2)", "(f(2),f(2)),f(2)", "f(2),f(1)", "f(2),f(2),has_aux=3", "f(2),f(2).half()",
    "n(2),n(2)", "f(2),f(2)",
)  # fmt: skip

TRANSFORMS = [
    *[f"ms.{name}(3)(f(2))" for name in ("grad", "value_and_grad", "jacfwd", "jacrev", "vmap")],
    *[f"ms.{name}({_SQUARE},{position})(f(2))" for name in ("grad", "value_and_grad", "jacfwd", "jacrev")
      for position in ("5", "-1", "'a'", "(0,0)", "[0]")],
    *[f"ms.{name}({_SQUARE},0,has_aux=3)(f(2))" for name in ("grad", "value_and_grad", "jacfwd", "jacrev")],
    f"ms.grad({_SQUARE},None)(f(2))",
    f"ms.grad({_SQUARE},())(f(2))",
    f"ms.grad({_SQUARE},0,3)(f(2))",
    f"ms.grad({_SQUARE},return_ids=3)(f(2))",
    "ms.vjp(3,f(2))",
    f"ms.vjp({_SQUARE},3)",
    f"ms.vjp({_SQUARE},f(2),has_aux=3)",
    *[f"ms.vjp({_SQUARE},f(2))[1]({sens})" for sens in ("None", "3.", "f(2),f(2)", "f(1)", "f(2)")],
    *[f"ms.jvp({arguments})" for arguments in ("3,f(2),f(2)", "3,3,f(2)")],
    *[f"ms.jvp({_SQUARE},{arguments})" for arguments in _DIRECTIONS],
    *[f"ms.vmap({_SQUARE},{axes})(f(2))" for axes in ("5", "'a'", "None", "(0,0)", "0,'a'", "0,3", "0,-1", "0,None")],
    f"ms.vmap({_SQUARE})(3)",
    f"ms.vmap({_SQUARE})()",
    "ops.GradOperation(get_all=3)",
    "ops.GradOperation()(3)(f(2))",
]  # fmt: skip
