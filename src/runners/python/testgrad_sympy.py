"""Runs one file of tests through sympy's own runner and records it, see testgrad_record.

Started as ``python -m testgrad_sympy --script bin/test --file sympy/core/tests/test_x.py -- -C --verbose``. The script
is run as it is; its runner's reporter also writes the record.
"""

import importlib
import os
import platform
import runpy
import sys
import time
import traceback

import testgrad_record as record
import testgrad_script as scripts

_HOMES = ("sympy.testing.runtests", "sympy.utilities.runtests")


class _Collected(Exception):
    """Ends a run that only lists the tests."""


def main():
    options = scripts.options("bin/test")
    sys.path.insert(0, os.path.abspath(os.path.join(os.path.dirname(options.script), os.pardir)))
    record.seed()
    started = False
    try:
        import sympy

        record.write(k="start", python=platform.python_version(), runner="sympy " + sympy.__version__)
        started = True
        _put_in(options)
        status = _run(options)
    except _Collected:
        status = 0
    except KeyboardInterrupt as error:
        scripts.ended_early(error)
        status = 2
    except BaseException as error:
        if not started:
            record.write(k="start", python=platform.python_version(), runner="sympy")
        scripts.not_collected(options.file, repr(error), traceback.format_exc())
        status = 1
    record.write_imports()
    record.write(k="finish", status=status)
    record.leave(status)
    return status


def _run(options):
    sys.argv[:] = [options.script] + options.rest + [options.file]
    # Where a script lies comes first on the import path, when Python itself starts it.
    sys.path.insert(0, os.path.dirname(os.path.abspath(options.script)))
    status = 0
    try:
        runpy.run_path(options.script, run_name="__main__")
    except SystemExit as leave:
        status = scripts.status_of(leave)
    return status


def _runtests():
    for name in _HOMES:
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    raise ImportError("no %s" % " and no ".join(_HOMES))


def _put_in(options):
    runtests = _runtests()
    tests, reporter = runtests.SymPyTests, runtests.PyTestReporter
    wanted = [id.rpartition("::")[2] for id in options.id]
    found, current = [], {}
    matches = tests.matches

    def recorded_matches(self, function):
        # Asked once for each test function of the file, in the order in which they run.
        chosen = function.__name__ in wanted if wanted else matches(self, function)
        if chosen:
            found.append(function.__name__)
        return chosen

    def entering_filename(self, filename, number):
        record.write(k="collected", ids=["%s::%s" % (options.file, name) for name in found])
        record.write_imports()
        if options.collect:
            raise _Collected()

    def entering_test(self, function):
        _end(current)
        current["id"] = "%s::%s" % (options.file, function.__name__)
        current["since"] = time.perf_counter()
        record.write(k="begin", id=current["id"])
        record.seed(current["id"])
        _phase(current, "passed", when="setup")

    def leaving_filename(self):
        _end(current)

    def import_error(self, filename, exc_info):
        summary = "".join(traceback.format_exception_only(exc_info[0], exc_info[1]))
        scripts.not_collected(options.file, summary, "".join(traceback.format_exception(*exc_info)))

    def failed(self, exc_info):
        if "id" not in current:
            # What the file itself raises is reported as if a test had.
            return import_error(self, None, exc_info)
        summary = "".join(traceback.format_exception_only(exc_info[0], exc_info[1]))
        text = "".join(traceback.format_exception(*exc_info))
        _phase(current, "failed", message=record.excerpt(summary, "", text))

    tests.matches = recorded_matches
    for name, also in {
        "entering_filename": entering_filename,
        "entering_test": entering_test,
        "leaving_filename": leaving_filename,
        "import_error": import_error,
        "test_pass": lambda self, *args: _phase(current, "passed"),
        "test_fail": failed,
        "test_exception": failed,
        "test_xfail": lambda self, *args: _phase(current, "skipped", xfail=True),
        "test_xpass": lambda self, *args: _phase(current, "passed"),
        "test_skip": lambda self, value=None: _phase(current, "skipped", message=record.excerpt(str(value or ""))),
    }.items():
        _also(reporter, name, also)


def _also(reporter, name, also):
    own = getattr(reporter, name)

    def report(self, *args, **kwargs):
        also(self, *args, **kwargs)
        return own(self, *args, **kwargs)

    setattr(reporter, name, report)


def _phase(current, outcome, when="call", xfail=False, message=""):
    ms = int((time.perf_counter() - current.get("since", time.perf_counter())) * 1000)
    id = current.get("id", "")
    record.write(k="phase", id=id, when=when, outcome=outcome, xfail=xfail, sub=False, ms=ms, message=message)


def _end(current):
    id = current.pop("id", None)
    if id is not None:
        record.write(k="end", id=id)


if __name__ == "__main__":
    sys.exit(main())
