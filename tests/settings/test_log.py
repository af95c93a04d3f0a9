import re
import subprocess
import sys

import pytest

from msgrad import log

SCRIPT = """
from msgrad import log
log.debug("d"); log.info("i %d", 1); log.warning("w %s", "x"); log.error("e"); log.critical("c")
"""


@pytest.mark.parametrize("level, shown", [("0", "DIWEC"), ("1", "IWEC"), (None, "WEC"), ("2", "WEC"), ("4", "C")])
def test_glog_v_says_what_is_shown(level, shown, monkeypatch):
    monkeypatch.delenv("GLOG_v", raising=False)
    if level is not None:
        monkeypatch.setenv("GLOG_v", level)
    ran = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    assert "".join(line[1] for line in ran.stderr.splitlines()) == shown and ran.stdout == ""
    if "W" in shown:
        form = r"\[WARNING\] ME\(\d+:\d+,MainProcess\):\d{4}-\d\d-\d\d-\d\d:\d\d:\d\d\.\d{3}\.\d{3} \[<string>:3\] w x$"
        assert re.search(form, ran.stderr, re.MULTILINE)


def test_exceptions_are_shown_with_their_traceback(capsys):
    try:
        raise KeyError("gone")
    except KeyError:
        log.error("failed", exc_info=True)
    assert re.search(r"\] failed\nTraceback .*KeyError: 'gone'\n$", capsys.readouterr().err, re.DOTALL)


def test_level(monkeypatch):
    monkeypatch.setenv("GLOG_v", "3")
    assert log.get_level() == "3" and log.get_log_config() == {"GLOG_v": "3", "GLOG_logtostderr": "1"}
    monkeypatch.delenv("GLOG_v")
    assert log.get_level() == "2"
    monkeypatch.setenv("GLOG_v", "5")
    with pytest.raises(
        ValueError,
        match="For .get_level., GLOG_v must be 0 .DEBUG., 1 .INFO.",
    ):
        log.get_level()


def test_warnings_of_one_kind_are_logged_once():
    lines = []

    class Logger:
        def warning(self, line):
            lines.append(line)

    logger = Logger()

    def warns(line):
        logger.warning(line)
        return line

    once = log._LogActionOnce(logger, "once")
    assert once(warns)("a") == "a" and once(warns)("b") == "b"
    assert log._LogActionOnce(logger, "once")(warns)("c") == "c"
    assert log._LogActionOnce(logger, "never", no_warning=True)(warns)("d") == "d"
    with pytest.raises(ZeroDivisionError):
        once(lambda: 1 / 0)()
    assert warns("e") == "e" and lines == ["a", "e"]
    assert log._LogActionOnce(None, "nobody")(lambda: 1)() == log._LogActionOnce(None, "nobody")(lambda: 1)() == 1
