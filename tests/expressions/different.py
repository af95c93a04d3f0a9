"""Expressions that MindSpore 2.10 gets wrong or cannot compute on a CPU, and the right outcome.

A list or number is the value (`tolist`), a string the name of the error.
"""

WRONG = {
    # a slice that starts past the end and runs backwards reads and writes past it
    "n(4)[10::-1]": [3, 2, 1, 0],
    # bounds that are no ints are ignored
    "n(4)[T(1.0):]": "TypeError",
    "n(4)[T(True):]": "TypeError",
    "put(f(2,3), slice(T(1.0),None), 1)": "TypeError",
    # an int that is too large wraps around
    "n(4)[2**70]": "IndexError",
    # a mask without axes selects all or nothing along a new axis
    "n(4)[T(True)]": [[0, 1, 2, 3]],
    "n(2,3)[T(True),0]": [[0, 1, 2]],
    "T(5)[T(True)]": [5],
    # floats among positions are truncated; nested masks in a tuple count as positions
    "n(2,3)[[0,0.5],0]": "RuntimeError",
    "n(2,3)[['a'],0]": "RuntimeError",
    "n(2,3,4)[[[True,False,True],[True,True,True]],0]": [0, 8, 12, 16, 20],
    # positions out of range write elsewhere, or fail in another place
    "put(f(2,3), (0,T([0,5])), 1)": "ValueError",
    "put(n(2,3), T([0,-3]), 9)": "ValueError",
    "put(n(2,3), (T([0,-3]),0), 9)": "ValueError",
    "put(n(4), T([[True]]), 9)": "IndexError",
    # the shape of a sparse subtrahend is not checked
    "f(2,3)-ms.COOTensor(T([[0,1],[1,2]],ms.int32),T([4.,5.]),(3,3))": "ValueError",
    # assignment with a negative step
    "put(n(4), slice(3,None,-1), 9)": [9, 9, 9, 9],
    "put(n(4), slice(3,None,-1), [1,2,3,4])": [4, 3, 2, 1],
    "put(n(2,3), (slice(None,None,-1),0), T([7,8]))": [[8, 1, 2], [7, 4, 5]],
    "put(n(2,3,4), ([0,1],slice(None,None,-1),[0,2]), T([[7,8,9],[1,2,3]]))": [
        [[9, 1, 2, 3], [8, 5, 6, 7], [7, 9, 10, 11]],
        [[12, 13, 3, 15], [16, 17, 2, 19], [20, 21, 1, 23]],
    ],
    # lists as values where a Tensor of the same numbers is taken
    "put(n(4), T([True,False,True,False]), [8,9])": [8, 1, 9, 3],
    "put(n(2,3), T([True,False]), [7,8,9])": [[7, 8, 9], [3, 4, 5]],
    "put(n(2,3), T([[True,False,True],[False,False,True]]), [7,8,9])": [[7, 1, 8], [3, 4, 9]],
    "put(n(4), slice(0,2), [None,1])": "TypeError",
    "put(f(2,3), T([],ms.int64), 1)": [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]],
    # numbers as exponents, which its documentation allows
    "ops.any(T([[1.0, 0.0, 2.0]]),0)": [True, False, True],
    "ops.nanquantile(T(2.0),0.5,0)": 2.0,
    "ops.logspace(0,2,3)": [1.0, 10.0, 100.0],
    "ops.zeros_like(1)": "TypeError",
    "ops.masked_select(f(3),i(1,0,1))": "TypeError",
    "ops.scatter(f(2,3),1,T([[0],[2]]),T([[7.,1.],[8.,1.]]))": [[7.0, 1.0, 2.0], [3.0, 4.0, 8.0]],
    # dtypes that a kernel lacks
    "ops.masked_fill(f(3),T([True,False,True]),9)": [9.0, 1.0, 9.0],
    # a kernel that does not fit gives an empty Tensor, over three axes or where only its dilation makes it too long
    "ops.conv2d(f(1,2,3,3),ops.ones((3,2,2,2)),dilation=3)": "ValueError",
    "ops.conv3d(f(1,2,3,3,3),ops.ones((3,2,4,4,4)))": "ValueError",
    "ops.conv3d(f(1,2,3,3,3),ops.ones((3,2,2,2,2)),dilation=3)": "ValueError",
    "nn.Conv3d(2,3,4,pad_mode='valid')(f(1,2,3,3,3))": "ValueError",
    # what was in memory, or nothing at all
    **{f"ops.{name}(f(0))": "ValueError" for name in ("amax", "amin", "median")},
    "ops.norm(ops.ones((2,2,2)),2)": "ValueError",
    # the quotient is rounded, of a singular matrix the derivative is 0, and infinity gives no number
    "ops.RealDiv()(T([3,5],ms.int32),T([2,-2],ms.int32))": [1.5, -2.5],
    "ms.grad(ops.det)(T([[1.,2.],[2.,4.]]))": [[4.0, -2.0], [-2.0, 1.0]],
    "T([5.,-5.])%np.inf": [5.0, float("inf")],
    "T([5.,-5.])//-0.0": [-float("inf"), float("inf")],
    "ops.bincount(i(0,-1))": "ValueError",
    "mnp.gcd(T([-2**31],ms.int32),T([6],ms.int32))": [2],
    # more than 8 axes
    "n(4)[None,None,None,None,None,None,None,None].shape": (1, 1, 1, 1, 1, 1, 1, 1, 4),
    "n(4)[...,None,None,None,None,None,None,None,None].shape": (4, 1, 1, 1, 1, 1, 1, 1, 1),
    # MindSpore's indices are 0
    "P.sparse_ops.SparseReshape()(T([[0,0],[0,2],[1,1]],ms.int64),T([2,3],ms.int64),T([3,-1],ms.int64))": [
        [[0, 0], [1, 0], [2, 0]],
        [3, 2],
    ],
}

MISSING = {
    # indices that MindSpore's graphs take, and its PYNATIVE_MODE does not
    "n(4)[np.int64(1),]": 1,
    "n(2,3)[range(2)]": [[0, 1, 2], [3, 4, 5]],
    "put(n(4), np.int64(0), 9)": [9, 1, 2, 3],
    "put(n(4), 0, np.int64(1))": [1, 1, 2, 3],
    "put(n(4), 0, np.bool_(1))": [1, 1, 2, 3],
    # which dtypes of positions a write takes depends on that of the Tensor
    "put(n(2,3), T([0],ms.int8), 9)": [[9, 9, 9], [3, 4, 5]],
    "put(n(2,3), T([0],ms.int16), 9)": [[9, 9, 9], [3, 4, 5]],
    # derivatives
    "ms.grad(lambda a, b: ops.NextAfter()(a,b),(0,1))(T([1.,2.]),T([2.,1.]))": [[1.0, 1.0], [0.0, 0.0]],
    # only the first of two factors is taken as a vector, whatever its shape
    "ops.outer(f(2),f(2,2))": "ValueError",
    # a list of lists is a tuple of them, but is bounded by the first axis
    "put(n(2,3), [[0,1],[0,2]], 9)": [[9, 1, 2], [3, 4, 9]],
    "put(f(2,3), range(2), 1)": [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]],
    "T([1.5]).new_full((2,),3)": [3.0, 3.0],
    "T([1,2]).repeat(T([2]))": [1, 2, 1, 2],
    "ops.roll(f(3),1)": [2.0, 0.0, 1.0],
    "ops.roll(f(2,3),(1,1),(0,1))": [[5.0, 3.0, 4.0], [2.0, 0.0, 1.0]],
    "f(3).roll(1,0)": [2.0, 0.0, 1.0],
    "ops.take(f(2,3),i(1,5))": [1.0, 5.0],
    "ops.nonzero(T([[1,0],[0,2]]),as_tuple=True)": [[0, 1], [0, 1]],
    "ops.nonzero(T(1)).shape": (1, 0),
    "f(3).scatter_add(0,i(0,0),T([9.,1.]))": [10.0, 1.0, 2.0],
    "T([3,1,3,2]).unique()": [1, 2, 3],
    "ops.einsum('ij,jk->ik',f(2,3),f(3,2))": [[10.0, 13.0], [28.0, 40.0]],
    "ops.einsum('ii',f(2,2))": 3.0,
    "ops.einsum('ij->ji',f(2,3))": [[0.0, 3.0], [1.0, 4.0], [2.0, 5.0]],
    "ops.Einsum('ij,jk->ik')((f(2,3),f(3,2)))": [[10.0, 13.0], [28.0, 40.0]],
    "ops.matrix_exp(f(2,2)*0)": [[1.0, 0.0], [0.0, 1.0]],
}

DIFFERENT = {**WRONG, **MISSING}
