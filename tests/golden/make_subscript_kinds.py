"""Writes ``subscript_kinds.json``: what MindSpore makes of subscripts of each kind, right and wrong, in both modes.

Run it with an interpreter that has MindSpore 2.10: ``GLOG_v=4 ORACLE_PYTHON tests/golden/make_subscript_kinds.py``. A
row is ``[program, figure, figure in a graph]``: an expression of ``x``, a Tensor of shape (3, 4), or a statement on
it, and what it gives, or ``x`` after it; or the name of the exception.
"""

import importlib.util
import json
import pathlib
import sys
import tempfile

import numpy as np

FILE = pathlib.Path(__file__).parent / "subscript_kinds.json"
PROGRAMS = """
x[np.array([0])]
x[np.array([0]),0]
x[0,np.array([0])]
x[np.array(0)]
x[np.array(True)]
x[np.array([True,False,True])]
x["a"]
x["a",0]
x[1.0]
x[1.0,0]
x[{}]
x[{},0]
x[3.7]
x[np.array([0])]=1
x[np.array([0]),0]=1
x[0,np.array([0])]=1
x[np.array(0)]=1
x[np.array(True)]=1
x[np.array([True,False,True])]=1
x["a"]=1
x["a",0]=1
x[1.0]=1
x[1.0,0]=1
x[{}]=1
x[{},0]=1
x[0]="a"
x[0]=None
x[0]={}
x[0,0]=np.array(1.0)
x[0]=[1,"a"]
x[0]=[1,None]
x[0]=[1,[2]]
x[0]=1j
x[0]=[]
x[0]=range(4)
x[0]=(1,2,3,4)
x[:]=[1,2]
x[np.array([0]),0]+=1
x["a"]+=1
x[np.array([0]),0]+=None
x[0]+=None
x[0]+="a"
x[0]+=[1,2,3,4]
x[0]+=np.ones(4,np.float32)
x[5]+=1
x[5]=1
x[5]
x[0,5]
x[0,0,0]
x[0,0,0]=1
x[0,5]=1
x[...,...]
x[...,...]=1
x[[5]]
x[[5]]=1
x[Tensor([5])]
x[Tensor([5])]=1
x[[True,False]]
x[[True,False]]=1
x[Tensor([True,False])]
x[Tensor([True,False])]=1
x[[[0,1],[1]]]
x[[0,1.5]]
x[[0,None]]
x[["a"]]
x[[[0,1],[1]]]=1
x[[0,1.5]]=1
x[[0,None]]=1
x[["a"]]=1
x[::0]
x[::0]=1
x[0:2.5]
x["a":]
x[Tensor(1.5)]
x[Tensor(1.5)]=1
x[Tensor([1.5])]
x[Tensor(0):Tensor(2)]
x[Tensor(0):Tensor(2)]=1
x[()]
x[()]=1
x[[]]
x[[]]=1
x[(),0]
x[[],0]
x[Tensor([0,1]),Tensor([0,1,2])]
x[Tensor([0,1]),Tensor([0,1,2])]=1
x[0]=Tensor([1,2,3])
x[0:2]=Tensor([1,2,3])
x[[0,1]]=Tensor([1,2,3])
x[x>2]=Tensor([1,2,3])
x[0]=[1,2,3]
x[0,0]=[1]
x[0,0]=[1,2]
x[x>2]=[1,2]
x[Tensor([True,False]),0]
x[0,Tensor([True,False])]
x[[True,False],0]
x[0,[True,False]]
x[Tensor([[True,False]])]
x[Tensor([True,False]),]
x[Tensor([True,False]),0]=1
x[0,Tensor([True,False])]=1
x[[True,False],0]=1
x[0,[True,False]]=1
x[Tensor([[True,False]])]=1
x[Tensor([True,False]),]=1
x["a",]
x[1.0,]
x[np.array([1]),]
x[["a",[0]]]
x[0,["a"]]
x[0,[1.5]]
x[[1.5],0]
x[0,{}]
x[0,1j]
x[1j]
x[[0],"a"]
x[[0],1.5]
x["a",]=1
x[1.0,]=1
x[0,["a"]]=1
x[0,[1.5]]=1
x[[1.5],0]=1
x[0,{}]=1
x[0,1j]=1
x[1j]=1
x[[0],"a"]=1
x[[0],1.5]=1
x[0]=[1j,2]
x[[0]]=1j
x[:]=1j
x[x>2]=1j
x[x>2]="a"
x[0]+=1j
x = x.int(); x[0] *= 1.5
x = x.int(); x[1:] *= 1.5
x = x.int(); x[[0, 1]] *= 1.5
x = x.int(); x[Tensor([0, 1])] *= 1.5
x = x.int(); x[...] *= 1.5
x = x.int(); x[None] *= 1.5
x = x.int(); x[0, 0] *= 1.5
x = x.int(); x[0, [0, 1]] *= 1.5
x = x.int(); x[1:] /= 1.5
x = x.int(); x[1:] //= 1.5
x = x.int(); x[1:] += 1.5
x = x.int(); x[1:] -= 1.5
x = x.int(); x[1:] %= 1.5
x = x.int(); x[1:] **= 1.5
x = x.int(); x[1:] *= Tensor([1.5, 2.5, 1.5, 1.5])
x = x.int(); x[1:] *= Tensor(1.5)
x = x.int(); x[0][1:] *= 2.5
x += [1, 2, 3, 4]
x //= (1, 2, 3, 4)
x -= [1, 2, 3, 4]
x[0] += (1, 2, 3, 4)
x[0] *= [1, 2, 3, 4]
x = x.astype("int32"); x[1:] = Tensor([-1.5, 3e9, -3e9, 300.7])
x = x.astype("int32"); x[[0, 1]] = Tensor([-1.5, 3e9, -3e9, 300.7])
x = x.astype("int32"); x[x > 3] = Tensor(-1.5)
x = x.astype("int64"); x[[0, 1]] = Tensor([-1.5, 3e9, -3e9, 300.7])
x = x.astype("int64"); x[x > 3] = Tensor(-1.5)
x = x.astype("uint8"); x[[0, 1]] = Tensor([-1.5, 300.0, 256.0, -300.0])
x = x.astype("uint8"); x[[0, 1]] -= Tensor(3.0)
x = x.astype("uint8"); x[...] = Tensor([-1.5, 300.0, 256.0, -300.0])
x = x.astype("int8"); x[Tensor([0, 1])] = Tensor([-1.5, 300.0, 129.0, -300.0])
x = x.astype("int16"); x[[0]] = Tensor([-1.5, 40000.0, 1e6, -300.0])
x = x.astype("uint8"); x[x > 3] = -1.0
"""


def functions(rows, package, folder):
    """The functions of all programs, with ``package`` for MindSpore."""
    lines = ["import numpy as np", f"from {package} import Tensor", ""]
    for k, program in enumerate(rows):
        body = [program, "return x"] if "=" in program else [f"return {program}"]
        lines += [f"def f{k}(x):", *[f"    {line}" for line in body], ""]
    path = pathlib.Path(folder) / "subscript_kinds.py"
    path.write_text("\n".join(lines))
    spec = importlib.util.spec_from_file_location("subscript_kinds", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # MindSpore's compiler looks there
    spec.loader.exec_module(module)
    return [getattr(module, f"f{k}") for k in range(len(rows))]


def figure(ms, function):
    """The dtype and the values that a program gives, or the name of its exception."""
    try:
        result = function(ms.Tensor(np.arange(12, dtype=np.float32).reshape(3, 4)))
        return [str(result.dtype), result.asnumpy().tolist()]
    except Exception as error:
        return type(error).__name__


def figures(ms, function):
    """The figures in PYNATIVE_MODE and in a graph."""
    return [figure(ms, function), figure(ms, ms.jit(function))]


def main():
    import mindspore

    rows = PROGRAMS.split("\n")[1:-1]
    with tempfile.TemporaryDirectory() as folder:
        made = [figures(mindspore, each) for each in functions(rows, "mindspore", folder)]
    table = [json.dumps([row, *each], separators=(",", ":")) for row, each in zip(rows, made, strict=True)]
    FILE.write_text("[\n" + ",\n".join(table) + "\n]\n")


if __name__ == "__main__":
    main()
