"""MindSpore's logger: one line per message on standard error, filtered by the environment variable ``GLOG_v``."""

import datetime
import functools
import logging
import os
import sys
import threading
from typing import ClassVar

__all__ = ["get_level", "get_log_config"]

_LEVELS = {"0": logging.DEBUG, "1": logging.INFO, "2": logging.WARNING, "3": logging.ERROR, "4": logging.CRITICAL}
_DEFAULT = "2"

_MSG_LEVEL = "For 'get_level', GLOG_v must be 0 (DEBUG), 1 (INFO), 2 (WARNING), 3 (ERROR) or 4 (CRITICAL), but is {!r}."


def debug(msg, *args, **kwargs):
    """Logs ``msg % args`` at level DEBUG; keywords are those of ``logging.Logger.debug``.  Source: mindspore.log"""
    _logger.debug(msg, *args, **_from_caller(kwargs))


def info(msg, *args, **kwargs):
    """Logs ``msg % args`` at level INFO.  Source: mindspore.log"""
    _logger.info(msg, *args, **_from_caller(kwargs))


def warning(msg, *args, **kwargs):
    """Logs ``msg % args`` at level WARNING.  Source: mindspore.log"""
    _logger.warning(msg, *args, **_from_caller(kwargs))


def error(msg, *args, **kwargs):
    """Logs ``msg % args`` at level ERROR.  Source: mindspore.log"""
    _logger.error(msg, *args, **_from_caller(kwargs))


def critical(msg, *args, **kwargs):
    """Logs ``msg % args`` at level CRITICAL.  Source: mindspore.log"""
    _logger.critical(msg, *args, **_from_caller(kwargs))


def _get_logger():
    """The ``logging.Logger`` that writes the lines."""
    return _logger


def get_level():
    """The lowest level logged, as a digit (str): ``"0"`` DEBUG to ``"4"`` CRITICAL; ``GLOG_v``, else ``"2"``.

    Raises:
        ValueError: if ``GLOG_v`` is not one of the five.
    Source: mindspore.get_level
    """
    level = os.environ.get("GLOG_v", _DEFAULT)
    if level not in _LEVELS:
        raise ValueError(_MSG_LEVEL.format(level))
    return level


def get_log_config():
    """The log's settings, by the names of the environment variables (dict of str to str).

    msgrad logs to standard error only, so ``GLOG_log_dir`` and its companions have no effect and are not listed.

    Source: mindspore.get_log_config
    """
    return {"GLOG_v": get_level(), "GLOG_logtostderr": "1"}


class _LogActionOnce:
    """A decorator for functions that warn: among those that share ``key``, only the first call's warnings are logged.

    Args:
        logger (logging.Logger | module): what the function warns through, by ``logger.warning``.
        key (str): identifies the warning.
        no_warning (bool): whether to suppress the first one too. Default: ``False``.
    Source: mindspore.log._LogActionOnce
    """

    is_logged: ClassVar[dict] = {}

    def __init__(self, logger, key, no_warning=False):
        self.logger = logger
        self.key = key
        self.no_warning = no_warning

    def __call__(self, func):
        @functools.wraps(func)
        def wrapper(*args, **kwargs):
            is_heard = not self.no_warning and self.key not in self.is_logged
            if is_heard or not hasattr(self.logger, "warning"):
                self.is_logged[self.key] = True
                return func(*args, **kwargs)
            warns = self.logger.warning
            self.logger.warning = _ignore
            try:
                return func(*args, **kwargs)
            finally:
                self.logger.warning = warns

        return wrapper


def _ignore(msg, *args, **kwargs):
    pass


def _from_caller(kwargs):
    """The logging keywords, with the stack level set so that a line names the user's code."""
    return {**kwargs, "stacklevel": kwargs.get("stacklevel", 1) + 1}


class _Handler(logging.Handler):
    """Writes to the current ``sys.stderr``, so that redirecting it works."""

    def emit(self, record):
        sys.stderr.write(self.format(record) + "\n")


class _Formatter(logging.Formatter):
    """``[WARNING] ME(pid:thread,process):2026-01-31-12:00:00.123.456 [file.py:7] message``."""

    def formatMessage(self, record):
        time = datetime.datetime.fromtimestamp(record.created).strftime("%Y-%m-%d-%H:%M:%S.%f")
        # As in `logging`: a process whose program has not imported multiprocessing is the main one.
        multiprocessing = sys.modules.get("multiprocessing")
        process = multiprocessing.current_process().name if multiprocessing else "MainProcess"
        origin = f"{os.getpid()}:{threading.get_ident()},{process}"
        stamp = f"{time[:-3]}.{time[-3:]}"
        return f"[{record.levelname}] ME({origin}):{stamp} [{record.pathname}:{record.lineno}] {record.message}"


def _make_logger():
    logger = logging.getLogger("msgrad")
    logger.setLevel(_LEVELS[get_level()])
    logger.addHandler(_Handler())
    logger.handlers[-1].setFormatter(_Formatter())
    logger.propagate = False
    return logger


_logger = _make_logger()
