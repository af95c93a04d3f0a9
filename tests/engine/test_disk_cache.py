"""The folder of compiled programs: private to its owner, and bounded in size."""

import errno
import os
import stat
import subprocess
import sys

import pytest

from msgrad.engine.execution import disk_cache

PROGRAM = """
import jax
import msgrad as ms
from msgrad.engine.execution import disk_cache
(ms.Tensor([1.0]) * 3).asnumpy()
jax.jit(lambda x: x * 3)(1.0)
print(disk_cache.Code.folder, jax.config.jax_compilation_cache_dir)
"""


def run(folder, **settings):
    environment = {**os.environ, "MSGRAD_CACHE": str(folder), "MSGRAD_TIERS": "off", **settings}
    environment.pop("JAX_COMPILATION_CACHE_DIR", None)
    return subprocess.run([sys.executable, "-c", PROGRAM], env=environment, check=True, capture_output=True, text=True)


def mode(folder):
    return stat.S_IMODE(folder.stat().st_mode)


def test_a_new_folder_and_one_that_others_may_read_become_private(tmp_path):
    old = tmp_path / "old"
    old.mkdir(mode=0o755)
    for folder in (tmp_path / "new" / "xla", old):
        ran = run(folder, MSGRAD_CACHE_SIZE="1G")
        assert ran.stdout.split() == [str(folder), "None"] and not ran.stderr
        assert mode(folder) == 0o700 and len(list(folder.glob("*-cache"))) == 1  # none of the user's own programs


def test_a_folder_that_others_may_write_to_is_refused_with_one_warning(tmp_path):
    folder = tmp_path / "shared"
    folder.mkdir()
    folder.chmod(0o777)
    ran = run(folder)
    assert ran.stdout.split() == ["None", "None"] and not list(folder.iterdir())
    assert ran.stderr.count("Compiled programs are not kept on disk") == 1
    assert f"{folder} may be written to by other users" in ran.stderr


def test_a_folder_that_others_may_replace_is_refused(tmp_path):
    shared = tmp_path / "shared"
    (shared / "own").mkdir(parents=True)
    shared.chmod(0o777)
    assert f"who may write to {shared}" in disk_cache._made_private(shared / "own")
    shared.chmod(0o1777)  # as /tmp: nothing of others can be renamed there
    assert disk_cache._made_private(shared / "own") is None


def test_a_link_is_followed_once(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "folder")
    assert run(tmp_path / "link").stdout.split()[0] == str(tmp_path / "folder")


def test_a_folder_of_another_user_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert "belongs to another user" in disk_cache._made_private(tmp_path)


def test_what_is_no_folder_is_refused(tmp_path):
    (tmp_path / "file").touch()
    assert "cannot be used" in disk_cache._made_private(tmp_path / "file")


@pytest.mark.parametrize("text, size", [("", 2 << 30), ("1000", 1000), ("500M", 500 << 20), ("3g", 3 << 30)])
def test_sizes(text, size, monkeypatch):
    monkeypatch.setenv("MSGRAD_CACHE_SIZE", text)
    assert disk_cache._limit() == size


def test_a_size_that_is_none_is_warned_about(monkeypatch):
    monkeypatch.setenv("MSGRAD_CACHE_SIZE", "much")
    with pytest.warns(RuntimeWarning, match="MSGRAD_CACHE_SIZE must be a number of bytes"):
        assert disk_cache._limit() == 2 << 30


def entries(folder, count):
    for number in range(count):
        path = folder / f"{number}-cache"
        path.write_bytes(bytes(100))
        os.utime(path, (number, number))


def test_what_was_not_used_for_long_is_removed(tmp_path):
    entries(tmp_path, 10)
    os.utime(tmp_path / "0-cache", (50, 0))  # read since
    disk_cache.prune(str(tmp_path), 800)
    assert {each.name for each in tmp_path.glob("*-cache")} == {f"{number}-cache" for number in (0, 5, 6, 7, 8, 9)}


def test_a_folder_within_its_limit_and_one_just_looked_at_stay(tmp_path):
    entries(tmp_path, 10)
    disk_cache.prune(str(tmp_path), 1000)
    disk_cache.prune(str(tmp_path), 1)
    assert len(list(tmp_path.glob("*-cache"))) == 10


@pytest.fixture
def private(tmp_path, monkeypatch):
    monkeypatch.setattr(disk_cache.Private, "folder", str(tmp_path))
    return tmp_path


def test_an_entry_is_written_whole_by_short_writes(private, monkeypatch):
    write = os.write
    monkeypatch.setattr(os, "write", lambda file, content: write(file, content[:7]))
    disk_cache.write("entry", b"payload" * 5)
    assert disk_cache.read("entry") == b"payload" * 5 and os.listdir(private) == ["entry"]


@pytest.mark.parametrize("call, code", [("write", errno.ENOSPC), ("open", errno.EROFS), ("replace", errno.EACCES)])
def test_an_entry_that_cannot_be_written_leaves_the_old_one(private, monkeypatch, call, code):
    disk_cache.write("entry", b"old")
    function, count = getattr(os, call), iter(range(9))

    def failing(*arguments):
        if call != "write" or next(count):  # the disk fills in the middle
            raise OSError(code, os.strerror(code))
        return function(arguments[0], arguments[1][:5])

    monkeypatch.setattr(os, call, failing)
    disk_cache.write("entry", b"new" * 9)
    monkeypatch.undo()
    assert os.listdir(private) == ["entry"]
    monkeypatch.setattr(disk_cache.Private, "folder", str(private))
    assert disk_cache.read("entry") == b"old"


def test_files_that_were_cut_are_written_again_without_a_warning(tmp_path):
    run(tmp_path)
    codes = [each for each in tmp_path.iterdir() if each.name.endswith("-cache")]
    whole = {each: each.read_bytes() for each in codes}
    assert whole
    for path, content in whole.items():
        path.write_bytes(content[: len(content) // 2])  # as a full disk leaves it
    assert run(tmp_path, PYTHONWARNINGS="error").stderr == ""
    assert {each: len(each.read_bytes()) for each in codes} == {each: len(whole[each]) for each in codes}


def test_a_folder_of_a_read_only_file_system_is_used(tmp_path, monkeypatch):
    def refusing(*_):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    tmp_path.chmod(0o755)
    monkeypatch.setattr(os, "chmod", refusing)
    assert disk_cache._made_private(tmp_path) is None
