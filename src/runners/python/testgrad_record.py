"""Record of a test run: one JSON object a line, each written at once.

Nothing but the standard library, Python 3.6 or later. What the record needs is bound when this module is imported, that
is before any code of the project under test runs, so that a project which patches ``os`` or ``json`` in its tests does
not change what is recorded. The variables that steer it are removed from the environment for the same reason: tests
that look at the environment, and processes they start, do not meet them.

Lines (``k`` is the kind, times are milliseconds):
  start        python, runner
  collected    ids: tests in the order in which they will run
  collect      id, outcome (failed or skipped), message: a file or class that could not be collected
  begin, end   id
  phase        id, when (setup, call, teardown), outcome (passed, failed, skipped, rerun), xfail, sub, ms, message
  imports      origins: where each probed module came from
  broken       message: the runner itself gave up
  finish       status
"""

import importlib.util
import json
import os
import random
import re
import sys
import zlib

_encode = json.JSONEncoder().encode
_open, _write, _close, _fstat, _getpid, _exit = os.open, os.write, os.close, os.fstat, os.getpid, os._exit
_relpath, _realpath, _isabs, _join = os.path.relpath, os.path.realpath, os.path.isabs, os.path.join
_modules = sys.modules
_find_spec = importlib.util.find_spec
_seed_random, _crc32 = random.seed, zlib.crc32

_path = os.environ.pop("TESTGRAD_RECORD")
_root = os.environ.pop("TESTGRAD_ROOT")
_seed = os.environ.pop("TESTGRAD_SEED", "0")
_probes = [name for name in os.environ.pop("TESTGRAD_PROBES", "").split(",") if name]

MESSAGE_CHARS = 2000
_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_APPEND


def _identity(fd):
    status = _fstat(fd)
    return (status.st_dev, status.st_ino)


_fd = _open(_path, _FLAGS, 0o644)
_file = _identity(_fd)
_owner = _getpid()


def write(**fields):
    """Appends one line. Does nothing in a forked child, which would repeat its parent's tests."""
    global _fd
    if _getpid() != _owner:
        return
    try:
        intact = _identity(_fd) == _file
    except OSError:
        intact = False
    if not intact:
        # A test closed all descriptors, or closed ours and got its number for a file of its own.
        _fd = _open(_path, _FLAGS, 0o644)
    data = (_encode(fields) + "\n").encode("ascii")
    while data:
        data = data[_write(_fd, data) :]


def leave(status):
    """Ends the process at once, when all is on record: no thread that was left behind keeps it."""
    if _getpid() != _owner:
        return
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:  # closed or replaced by a test
            pass
    _exit(status)


def seed(id=""):
    """Makes the random numbers of a test, or of what is imported, depend on nothing but its id and the run's seed."""
    value = "%s:%s" % (_seed, id)
    _seed_random(value)
    numpy = _modules.get("numpy.random")
    try:
        if numpy is not None:
            numpy.seed(_crc32(value.encode("utf-8", "replace")))
    except Exception:  # a project may well have something else of this name
        pass


def relative(path):
    """A path relative to the root with forward slashes; an absolute one outside of it; as it is when relative."""
    path = str(path)
    if not _isabs(path):
        return path
    for candidate, root in ((path, _root), (_realpath(path), _realpath(_root))):
        rest = _relpath(candidate, root)
        if rest != os.pardir and not rest.startswith(os.pardir + os.sep):
            return rest.replace(os.sep, "/")
    return path


def _known_places():
    """Names for the folders of this machine that a message may show, the longest first."""
    named = [(_root + os.sep, ""), (_root, "<repository>"), (os.path.dirname(__file__), "<testgrad>")]
    named.append((sys.executable, "<python>/bin/python"))
    prefixes = [sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix]
    system = (os.sep, "/usr", "/usr/local")
    folders = [os.path.dirname(os.__file__)] + [prefix for prefix in prefixes if prefix not in system]
    named.extend((folder, "<python>") for folder in folders)
    named.append((os.environ.get("HOME"), "<home>"))
    named.append((os.environ.get("TMPDIR") or "/tmp", "<tmp>"))
    places = {}
    for path, name in named:
        if not path or not _isabs(path):
            continue
        end = os.sep if path.endswith(os.sep) else ""
        for place in (path, _realpath(path) + end):
            if place.strip(os.sep):
                places.setdefault(place, name)
    return places


_places = _known_places()
# A path begins where no other one goes on, and ends with one of its parts.
_place_of = re.compile(
    r"(?:(?<=://)|(?<![\w./~-]))(?:%s)"
    % "|".join(
        re.escape(path) + ("" if path.endswith(os.sep) else r"(?![\w-]|\.\w)")
        for path in sorted(_places, key=len, reverse=True)
    )
).sub
_address = re.compile(r"\bat 0x[0-9a-fA-F]{4,}").sub
_library = re.compile(r"(?:<python>|/usr(?:/local)?)/lib(?:64)?/(?:python|pypy)3?(?:\.\d+)?(?=/)").sub
_packages = re.compile(r"<python>/dist-packages").sub
_pytest_folder = re.compile(r"pytest-of-[^/\s]+/pytest-\d+").sub
_below_tmp = re.compile(r"<tmp>/[^\s'\"]+").sub
_random_folder = re.compile(r"/tmp[a-z0-9_]{8}(?![a-z0-9_])").sub


def normalise(text):
    """Text without what differs between machines and identical runs.

    That is where the repository, the interpreter with its packages, the home and the temporary folder are, addresses,
    and names that pytest and tempfile make up for temporary folders.
    """
    text = _place_of(lambda match: _places[match.group()], text)
    text = text.replace(_realpath(_root) + os.sep, "").replace(_root + os.sep, "")
    text = _packages("<python>/site-packages", _library("<python>", text))
    text = _address("at 0x...", text)
    text = _pytest_folder("pytest-of-user/pytest-N", text)
    return _below_tmp(lambda match: _random_folder("/tmpN", match.group()), text)


def excerpt(summary, place="", text=""):
    """At most MESSAGE_CHARS characters: what went wrong, where, and the end of the report."""
    head = normalise(summary).strip()
    if len(head) > MESSAGE_CHARS // 2:
        head = head[: MESSAGE_CHARS // 2].rstrip() + " ..."
    if place:
        head = "%s\n%s" % (head, normalise(place))
    lines = normalise(text).rstrip().split("\n")
    tail, size = [], len(head) + 1
    for line in reversed(lines):
        size += len(line) + 1
        if size > MESSAGE_CHARS:
            break
        tail.insert(0, line)
    body = "\n".join(tail).strip("\n")
    return ("%s\n%s" % (head, body) if body.strip() else head)[:MESSAGE_CHARS]


def write_imports():
    """Records where each probed module was imported from, or would be now."""
    origins = {}
    for name in _probes:
        origin = _origin(name)
        if origin:
            origins[name] = relative(origin)
    write(k="imports", origins=origins)


def _origin(name):
    try:
        module = _modules.get(name)
        if module is not None:
            return _place(getattr(module, "__file__", None), getattr(module, "__path__", None))
        spec = _find_spec(name)
        return None if spec is None else _place(spec.origin, spec.submodule_search_locations)
    except BaseException:  # the parent package of a dotted name is imported, and may do anything
        return None


def _place(file, folders):
    if file and _isabs(str(file)):
        return file
    folders = list(folders or [])
    return folders[0] if folders else None
