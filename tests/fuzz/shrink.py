"""Shrinks programs that show a difference, as long as they still show it."""

import dataclasses
import itertools

TRIES = 60


def shrink(program, fails):
    """Returns the program without the statements that ``fails(program)`` does not need, as far as one by one tells."""
    tries, is_smaller = itertools.count(), True
    while is_smaller:
        is_smaller = False
        for text in without_one(program.text):
            if next(tries) == TRIES:
                return program
            candidate = dataclasses.replace(program, text=text)
            if fails(candidate):
                program, is_smaller = candidate, True
                break
    return program


def without_one(text):
    """Generates the texts with one statement less: without it and its block, or with the block alone."""
    lines = text.splitlines()
    for start in reversed(range(len(lines) - 1)):
        end = start + 1
        while end < len(lines) and depth(lines[end]) > depth(lines[start]):
            end += 1
        yield "\n".join([*lines[:start], *lines[end:], ""])
        if end > start + 1 and not lines[start].lstrip().startswith("def "):
            block = [line[4:] for line in lines[start + 1 : end]]
            yield "\n".join([*lines[:start], *block, *lines[end:], ""])


def depth(line):
    return len(line) - len(line.lstrip())
