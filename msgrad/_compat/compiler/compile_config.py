"""``mindspore._extends.parse.compile_config``: switches of MindSpore's compiler, without effect.

Each is ``""``, which means that it is not set.
"""


def __getattr__(name):
    if name.isupper():
        return ""
    raise AttributeError(f"module 'mindspore._extends.parse.compile_config' has no attribute '{name}'")
