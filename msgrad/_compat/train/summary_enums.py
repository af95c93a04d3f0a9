"""``mindspore.train.summary.enums``: the names of summary data."""

import enum


class BaseEnum(enum.Enum):
    """Names with their list."""

    @classmethod
    def to_list(cls):
        """The values of all names."""
        return [each.value for each in cls]


def _named(kind, names, base: type[enum.Enum] = BaseEnum):
    kinds = base(kind, {name.upper(): name for name in names.split()}, module=__name__)
    kinds.__doc__ = f"The names {names.replace(' ', ', ')}."
    return kinds


PluginEnum = _named(
    "PluginEnum",
    "graph scalar image tensor histogram train_lineage eval_lineage custom_lineage_data dataset_graph explainer "
    "landscape",
)
WriterPluginEnum = _named("WriterPluginEnum", "exporter explainer summary lineage", enum.Enum)
ModeEnum = _named("ModeEnum", "train eval")
