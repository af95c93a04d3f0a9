"""What the processes tell each other is signed: which values are accepted, and where the secret comes from."""

import os
import threading

import pytest

from msgrad.engine.processes import secret, store
from msgrad.engine.processes.store import Store
from msgrad.tools import launch
from msgrad.tools.job import Job

from .keeping import Client
from .launching import SECRET


@pytest.fixture(autouse=True)
def no_secret(monkeypatch):
    for name in (secret.VARIABLE, secret.FILE):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(store, "_PATIENCE", 0.2)


def met(*secrets):
    """The `Store` of each process of a launch, given by its secret (str or None), or the error of its start."""
    client = Client()
    stores = [Store(client, each and each.encode()) for each in secrets]

    def meet(number):
        try:
            assert stores[number].meet(number, len(secrets), 5)
        except RuntimeError as error:
            stores[number] = str(error)

    threads = [threading.Thread(target=meet, args=(number,)) for number in range(len(secrets))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return stores


@pytest.mark.parametrize("key", [SECRET, None])
def test_values_arrive(key):
    first, second, third = met(*[key] * 3)
    for text in ("", "a b", "\u00e9", "[0]"):
        first.set("x/all/0/0", text)
        assert second.get("x/all/0/0", 1) == third.get("x/all/0/0", 1) == text
    first.set("at/0", "here")
    third.set("at/2", "there")
    assert second.values_in("at") == {0: "here", 2: "there"}
    second.delete("at")
    assert first.values_in("at") == {} and first.get("none", 0.01) is None


def _value(client):
    return client.values["msgrad/x/all/0/1"]


def _moved(client, writer):
    writer.set("x/all/1/1", "text")
    return client.values["msgrad/x/all/1/1"]


def _of_another_launch(client, writer):
    other = met(SECRET, SECRET)[1]
    other.set("x/all/0/1", "text")
    return _value(other._client)


def _before_the_meeting(client, writer):
    Store(client, SECRET.encode()).set("x/all/0/1", "text")
    return _value(client)


# Values that are no values of the key "x/all/0/1" that the writer has set: what puts each there, given what it has set.
FORGED = {
    "nothing": lambda client, writer: b"",
    "a text": lambda client, writer: b"text",
    "not UTF-8": lambda client, writer: b"\xff \xff \xff",
    "no number": lambda client, writer: b"-  text",
    "plain": lambda client, writer: b"- 0 text",
    "another text": lambda client, writer: _value(client).replace(b"text", b"test"),
    "another number": lambda client, writer: _value(client).replace(b" 1 ", b" 11 "),
    "a longer text": lambda client, writer: _value(client) + b"s",
    "of another key": _moved,
    "of another launch": _of_another_launch,
    "signed with the bare secret": _before_the_meeting,
}


@pytest.mark.parametrize("how", FORGED)
def test_a_forged_value_counts_as_missing(how, caplog):
    reader, writer = met(SECRET, SECRET)
    client = reader._client
    writer.set("x/all/0/1", "text")
    assert reader.get("x/all/0/1", 1) == "text"
    client.values["msgrad/x/all/0/1"] = FORGED[how](client, writer)
    assert reader.get("x/all/0/1", 0.1) is None
    assert reader.values_in("x/all/0") == {}
    # Its writer's value is read when that replaces the forged one.
    threading.Timer(0.1, writer.set, ["x/all/0/1", "true"]).start()
    assert reader.get("x/all/0/1", 5) == "true"


def test_what_was_read_is_not_replaced_by_an_earlier_value():
    reader, writer = met(SECRET, SECRET)
    client = reader._client
    writer.set("failed/1", "first")
    first = client.values["msgrad/failed/1"]
    writer.set("failed/1", "second")
    for forged in (first, b"- 99 words", None):
        assert reader.values_in("failed") == {1: "second"}
        client.values["msgrad/failed/1"] = forged
        if forged is None:
            del client.values["msgrad/failed/1"]
    assert reader.values_in("failed") == {1: "second"}


@pytest.mark.parametrize("value", [b"", b"word", b"- x text", b"- 1", b"- 9999999999999999999999 text", b"\xff"])
def test_an_odd_plain_value_is_no_exception(value):
    reader = Store(Client())
    for key in ("failed/1", "failed/word", "failed/1" * 99, "failed/\u0661"):
        reader._client.values[f"msgrad/{key}"] = value
    assert set(reader.values_in("failed")) <= {1}


def test_a_plain_value_does_not_control_the_terminal():
    first, second = met(None, None)
    first.set("failed/0", "rank 0 \033[2J\nfailed")
    assert second.values_in("failed") == {0: "rank 0 [2Jfailed"}


ANOTHER = {
    "another": ((SECRET, SECRET, SECRET[::-1]), "number 2 has another than this process, or none"),
    "none": ((SECRET, None), "number 1 has another than this process, or none"),
    "one": ((None, SECRET), "others have one, and this process none"),
}


@pytest.mark.parametrize("how", ANOTHER)
def test_all_refuse_another_secret(how):
    secrets, sentence = ANOTHER[how]
    errors = met(*secrets)
    assert sentence in errors[0], errors
    assert all("must have the same secret" in error and "MSGRAD_SECRET" in error for error in errors), errors


def test_an_earlier_meeting_is_not_joined():
    """Not even with all values of an earlier launch with the same secret in the store."""
    earlier = met(SECRET, SECRET)[0]._client
    client = Client()
    client.values = {key: value for key, value in earlier.values.items() if not key.endswith("join/1")}
    with pytest.raises(RuntimeError, match="number 0 has another than this process, or has met one"):
        Store(client, SECRET.encode()).meet(1, 2, 1)


def test_objects_need_a_secret():
    Store(Client(), SECRET.encode()).require_secret("all_gather_object")
    with pytest.raises(RuntimeError, match="For 'all_gather_object', objects are sent as pickles.*set MSGRAD_SECRET"):
        Store(Client()).require_secret("all_gather_object")


# A file's content and mode, and what the error says; None if there is none.
FILES = {
    "good": (f"{SECRET}\n", 0o600, None),
    "readable": (SECRET, 0o640, r"may be used by other users \(mode 0640\)"),
    "writable": (SECRET, 0o602, "may be used by other users"),
    "short": ("short", 0o600, "must be one line of 32 random ASCII characters or more, but has 5"),
    "two lines": (f"{SECRET}\n{SECRET}", 0o600, "must be one line of"),
    "missing": (None, 0, "cannot be read: No such file"),
}


@pytest.mark.parametrize("how", FILES)
def test_secret_files(how, tmp_path, monkeypatch):
    content, mode, sentence = FILES[how]
    path = tmp_path / "secret"
    if content is not None:
        path.write_text(content)
        path.chmod(mode)
    monkeypatch.setenv(secret.FILE, str(path))
    if sentence is None:
        assert secret.given() == secret.given(str(path)) == SECRET
    else:
        with pytest.raises(RuntimeError, match=sentence):
            secret.given()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may give files away")
def test_a_secret_file_of_another_user(tmp_path):
    path = tmp_path / "secret"
    path.write_text(SECRET)
    path.chmod(0o600)
    os.chown(path, 65534, 65534)
    with pytest.raises(RuntimeError, match="must be your own, but belongs to the user 65534"):
        secret.given(str(path))


def test_the_secret_leaves_the_environment(monkeypatch):
    monkeypatch.setenv(secret.VARIABLE, SECRET)
    assert secret.taken() == SECRET.encode()
    assert secret.VARIABLE not in os.environ and secret.taken() is None


def _job(folder, *options):
    options = launch._parser().parse_args([f"--log_dir={folder}", *options, "script.py"])
    options.local_worker_num = options.local_worker_num or options.worker_num
    job = Job(options, [])
    for worker in job.workers:
        worker.log.close()
    return job


def test_the_launcher_gives_its_workers_a_secret(tmp_path, monkeypatch):
    alone, several = ["--worker_num=2", "--node_rank=0"], ["--worker_num=2", "--local_worker_num=1", "--node_rank=1"]
    made = [_job(tmp_path, *alone).environment(1)[secret.VARIABLE] for _ in range(2)]
    assert made[0] != made[1] and min(map(len, made)) >= 32
    assert secret.VARIABLE not in _job(tmp_path, *several).environment(1)
    path = tmp_path / "secret"
    path.write_text(SECRET[::-1])
    path.chmod(0o600)
    monkeypatch.setenv(secret.VARIABLE, SECRET)
    assert _job(tmp_path, *several).environment(1)[secret.VARIABLE] == SECRET
    assert _job(tmp_path, *several, f"--secret_file={path}").environment(1)[secret.VARIABLE] == SECRET[::-1]
    path.chmod(0o644)
    with pytest.raises(RuntimeError, match="may be used by other users"):
        _job(tmp_path, *alone, f"--secret_file={path}")
