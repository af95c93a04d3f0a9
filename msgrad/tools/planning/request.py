"""What the command asks of the process that plans."""

import dataclasses


@dataclasses.dataclass
class Request:
    """What to plan.

    Attributes:
        program (str), arguments (list), as_module (bool): the script, as `running.run` takes it.
        place (str): the target.
        steps (int), seconds (float): when the script ends.
        batch (int | None), precision (str | None), layout (str | None): what is changed in the program.
        out (str): the file for the plan.
    """

    program: str
    arguments: list
    as_module: bool
    place: str
    steps: int
    seconds: float
    out: str
    batch: int | None = None
    precision: str | None = None
    layout: str | None = None
