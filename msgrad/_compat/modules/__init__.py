"""Public modules of MindSpore that few programs name; ``msgrad.hal`` gives them as well."""
