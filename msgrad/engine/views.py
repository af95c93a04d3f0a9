"""Views: handles that share storage with a base, as MindSpore's slices and reshapes do.

Reading a view costs nothing: its value was taken when it was made. Writes are rare, so they do the work: a write to
the base takes every view's value anew; a write to a view puts it back into the base, which informs the other views.
"""

import weakref


class View:
    """The link between a base handle and one view of it.

    ``read(base) -> handle`` takes the view's value out of the base; ``put(base, view) -> handle`` makes the base's
    value with the view's put back, or is None where MindSpore copies on write. ``follows`` is False for a result that
    writes through to its base but does not see the base's later values (advanced indexing).
    """

    __slots__ = ("base", "view", "read", "put", "follows", "__weakref__")

    def __init__(self, base, view, read, put, follows):
        self.base = base
        self.view = weakref.ref(view)
        self.read = read
        self.put = put
        self.follows = follows

    def write_through(self, state):
        view = self.view()
        if self.put is not None and view is not None:
            self.base.write(self.put(self.base, view))

    def refresh(self):
        view = self.view()
        if view is None:
            self.base._views.remove(self)
        elif self.follows:
            view._rebind(self.read(self.base).state())
            view.refresh_views()


def link(base, view, read, put=None, follows=True):
    """Makes ``view`` a view of ``base`` and returns it."""
    record = View(base, view, read, put, follows)
    view._base = record
    if base._views is None:
        base._views = []
    elif len(base._views) % 64 == 63:
        base._views[:] = [other for other in base._views if other.view() is not None]
    base._views.append(record)
    return view
