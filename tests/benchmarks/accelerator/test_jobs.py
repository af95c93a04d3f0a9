"""Jobs of the benchmark: what fails or is late is named, and what is not timed stops meanwhile."""

import pathlib
import sys
import time

from . import report
from .jobs import Background, Job, run_group

SAY = "from tests.benchmarks.accelerator.turns import say, wait_for_turn; "


def test_group_says_what_each_job_has_found(tmp_path):
    good = Job("good", ["-c", SAY + "wait_for_turn(first=1); say(ms=2)"], 60)
    failing = Job("failing", ["-c", "raise ValueError('too small')"], 60)
    late = Job("late", ["-c", SAY + "say(checked=3); import time; time.sleep(99)"], 1)
    killed = Job("killed", ["-c", "import os; os.kill(os.getpid(), 11)"], 60)
    background = Background([], 1, tmp_path, sys.executable)
    run_group([good, failing, late, killed], background, time.monotonic() + 60, is_quiet=False)
    assert good.facts["first"] == 1 and good.facts["ms"] == 2 and not good.why
    assert failing.why == "ValueError: too small"
    assert late.why == "no result in 1 s" and late.has_ended
    assert killed.why == "signal 11"


def test_jobs_in_the_background_stop_while_another_is_timed(tmp_path):
    background = Background(
        [Job(str(n), ["-c", "import time; time.sleep(99)"], 99) for n in range(3)], 2, tmp_path, sys.executable
    )
    background.poll()
    assert len(background.running) == 2
    status = [pathlib.Path(f"/proc/{job.process.pid}/stat") for job in background.running]
    background.pause()
    until = time.monotonic() + 10
    while {path.read_text().split()[2] for path in status} != {"T"}:
        assert time.monotonic() < until
    background.resume()
    assert "T" not in {path.read_text().split()[2] for path in status}
    background.end()
    assert all(job.has_ended for job in background.running)


def test_report_names_what_failed():
    results = {
        "gpt2 graph bf16": {"ms": 31.24, "device": "NVIDIA H100"},
        "gpt2 jax bf16": {"failed_because": "no result in 120 s"},
        "example lenet GRAPH": {"checked": 1, "failed": [["lenet GRAPH", "printed 1, expected 2"]]},
    }
    text = report.markdown(results, "Taken today.")
    assert text.startswith("## On an accelerator: NVIDIA H100\n")
    assert "| GPT-2 124M, batch 8 x 1024, bf16 | 31.2 |  | failed |  |" in text
    assert "| example programs, both modes | 1 | 1 | 0 |" in text
    assert "- gpt2 jax bf16: no result in 120 s" in text
    assert "- example lenet GRAPH: wrong: lenet GRAPH: printed 1, expected 2" in text
