"""``mindspore.rewrite``: networks whose statements a program replaces, adds and erases."""
