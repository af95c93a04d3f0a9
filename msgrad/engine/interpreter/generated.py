"""A short plan as a Python function made for it, which finds operands and results in 1 us less than the plan does."""


def function_of(plan, count):
    """The function of ``count`` arguments that gives the first result of a `NumpyPlan`.

    NumPy's own function where the plan is one call of that, with the arguments as they are.
    """
    arguments = [f"x{k}" for k in range(count)]
    known = {f"c{k}": value for k, value in enumerate((*plan.consts, *plan.rest))}
    constants = list(known)
    names = [*constants[: len(plan.consts)], *arguments, *constants[len(plan.consts) :]]
    lines = []
    for k, (call, operands, result) in enumerate(plan.calls):
        given = operands(names)
        known[f"f{k}"] = call
        if isinstance(result, slice):
            targets = names[result] = [f"r{k}_{place}" for place in range(result.stop - result.start)]
            lines.append(f"{', '.join(targets)}, = f{k}({', '.join(given)})")
            continue
        names[result] = f"r{k}"
        lines.append(f"r{k} = f{k}({', '.join(given)})")
    (output, *_) = plan.picked(names)
    if lines == [f"r0 = f0({', '.join(arguments)})"] and output == "r0":
        return known["f0"]
    # A constant is copied, since what is returned may be written over.
    returned = f"return {output}.copy()" if 0 in plan.constant_outputs else f"return {output}"
    exec("\n    ".join([f"def run({', '.join(arguments)}):", *lines, returned]), known)
    return known["run"]
