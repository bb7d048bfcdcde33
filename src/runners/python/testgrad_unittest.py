"""Runs one file of unittest tests and records it, see testgrad_record. Started as ``python -m testgrad_unittest``."""

import argparse
import fnmatch
import importlib
import importlib.util
import os
import platform
import re
import sys
import time
import traceback
import unittest
import warnings

import testgrad_record as record

_CLASS_FIXTURE = re.compile(r"^(setUp|tearDown)(Class|Module) \((.+)\)$")


def main():
    options = _options()
    sys.argv[:] = ["python -m unittest", options.file]
    record.write(k="start", python=platform.python_version(), runner="unittest " + platform.python_version())
    status = _run(options)
    record.write_imports()
    record.write(k="finish", status=status)
    record.leave(status)
    return status


def _options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--file", required=True, help="test file, relative to the working directory")
    parser.add_argument("--top", help="folder that is put first on the import path, as `discover -t`")
    parser.add_argument("--pattern", action="append", default=[], help="as `unittest -k`")
    parser.add_argument("--id", action="append", default=[], help="run these tests only")
    parser.add_argument("--buffer", action="store_true")
    parser.add_argument("--collect", action="store_true")
    return parser.parse_args()


def _run(options):
    record.seed()
    try:
        module = _import(options.file, options.top or os.curdir)
        tests = unittest.defaultTestLoader.loadTestsFromModule(module)
    except unittest.SkipTest as skip:
        record.write(k="collect", id=options.file, outcome="skipped", message=record.excerpt(str(skip)))
        return 0
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a test file may well call sys.exit when it is imported
        record.write(k="collect", id=options.file, outcome="failed", message=_message(error, traceback.format_exc()))
        return 1
    chosen = []
    for test in _flat(tests):
        if type(test).__name__ == "_FailedTest":
            record.write(k="collect", id=options.file, outcome="failed", message=_failed_load(test))
        elif _is_chosen(test, options):
            chosen.append(test)
    record.write(k="collected", ids=[_id(options.file, test) for test in chosen])
    record.write_imports()
    if options.collect:
        return 0
    result = _RecordingResult(options.file, chosen)
    result.buffer = options.buffer
    with warnings.catch_warnings():
        if not sys.warnoptions:
            warnings.simplefilter("default")
        try:
            unittest.TestSuite(chosen).run(result)
        except KeyboardInterrupt as error:
            record.write(k="broken", message=record.excerpt("the run was ended early: %r" % error))
            return 2
    return 0 if result.wasSuccessful() else 1


def _import(file, top):
    """The module of a test file under the name that `python -m unittest` gives it."""
    top = os.path.abspath(top)
    if sys.path[0] != top:
        sys.path.insert(0, top)
    stem = os.path.splitext(os.path.relpath(os.path.abspath(file), top))[0]
    parts = stem.split(os.sep)
    if all(part.isidentifier() for part in parts):
        module = importlib.import_module(".".join(parts))
        if os.path.realpath(getattr(module, "__file__", None) or "") == os.path.realpath(file):
            return module
    # Not a dotted name, or one that an installed package takes.
    name = re.sub(r"\W", "_", stem)
    spec = importlib.util.spec_from_file_location(name, file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _flat(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            for inner in _flat(test):
                yield inner
        else:
            yield test


def _is_chosen(test, options):
    if options.id and _id(options.file, test) not in options.id:
        return False
    patterns = [pattern if "*" in pattern else "*%s*" % pattern for pattern in options.pattern]
    return not patterns or any(fnmatch.fnmatchcase(test.id(), pattern) for pattern in patterns)


def _id(file, test):
    method = getattr(test, "_testMethodName", None)
    if method is None or isinstance(test, unittest.FunctionTestCase):
        return "%s::%s" % (file, test.id())
    return "%s::%s::%s" % (file, type(test).__qualname__.replace(".", "::"), method)


def _failed_load(test):
    try:
        getattr(test, test._testMethodName)()
    except BaseException as error:  # it raises what went wrong, which may be anything
        return _message(error, "")
    return "a test could not be loaded"


def _message(error, text):
    summary = "".join(traceback.format_exception_only(type(error), error))
    frames = traceback.extract_tb(error.__traceback__)
    place = "%s:%s" % (frames[-1][0], frames[-1][1]) if frames else ""
    return record.excerpt(summary, place, text)


class _RecordingResult(unittest.TestResult):
    """Maps unittest's reports to those of pytest: what a test's body raises is a failure, whatever it raises."""

    def __init__(self, file, tests):
        super().__init__()
        self._file = file
        self._waiting = [(_id(file, test), _class_name(test), type(test).__module__) for test in tests]
        self._done = []
        self._since = 0.0
        self._has_result = self._skipped_sub = False

    def startTest(self, test):
        super().startTest(test)
        self._since = time.perf_counter()
        self._has_result = self._skipped_sub = False
        record.write(k="begin", id=_id(self._file, test))
        record.seed(_id(self._file, test))
        self._phase(test, "setup", "passed")

    def stopTest(self, test):
        super().stopTest(test)
        id = _id(self._file, test)
        if self._skipped_sub and not self._has_result:
            # unittest reports no success then; the rest of the test went well, or it would have reported that.
            self._phase(test, "call", "passed")
        record.write(k="end", id=id)
        self._done.extend(entry for entry in self._waiting if entry[0] == id)
        self._waiting = [entry for entry in self._waiting if entry[0] != id]

    def addSuccess(self, test):
        super().addSuccess(test)
        self._phase(test, "call", "passed")

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self._raised(test, err)

    def addError(self, test, err):
        super().addError(test, err)
        fixture = _CLASS_FIXTURE.match(test.id())
        if fixture:
            self._fixture(fixture, "failed", _message(err[1], self._text(test, err)))
        else:
            self._raised(test, err)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        fixture = _CLASS_FIXTURE.match(test.id())
        if fixture:
            self._fixture(fixture, "skipped", record.excerpt(str(reason)))
        elif hasattr(test, "test_case"):
            self._skipped_sub = True
        else:
            self._phase(test, "call", "skipped", message=record.excerpt(str(reason)))

    def addExpectedFailure(self, test, err):
        super().addExpectedFailure(test, err)
        self._phase(test, "call", "skipped", xfail=True)

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self._phase(test, "call", "failed", message="Unexpected success")

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            message = "sub-test %s: %s" % (subtest._subDescription(), _message(err[1], self._text(test, err)))
            self._phase(test, "call", "failed", sub=True, message=message[: record.MESSAGE_CHARS])

    def _raised(self, test, err):
        self._phase(test, _phase_of(err[2]), "failed", message=_message(err[1], self._text(test, err)))

    def _text(self, test, err):
        return self._exc_info_to_string(err, test)

    def _phase(self, test, when, outcome, xfail=False, sub=False, message=""):
        self._has_result = self._has_result or when != "setup" or outcome != "passed"
        ms = int((time.perf_counter() - self._since) * 1000)
        _write_phase(_id(self._file, test), when, outcome, xfail=xfail, sub=sub, ms=ms, message=message)

    def _fixture(self, match, outcome, message):
        """A fixture of a class or module failed: so did the tests that it served."""
        kind, level, name = match.groups()
        column = 1 if level == "Class" else 2
        if kind == "tearDown":
            for id in [entry[0] for entry in self._done if entry[column] == name][-1:]:
                _write_phase(id, "teardown", outcome, message=message)
            return
        for entry in [entry for entry in self._waiting if entry[column] == name]:
            record.write(k="begin", id=entry[0])
            _write_phase(entry[0], "setup", outcome, message=message)
            record.write(k="end", id=entry[0])
            self._waiting.remove(entry)
            self._done.append(entry)


def _write_phase(id, when, outcome, xfail=False, sub=False, ms=0, message=""):
    record.write(k="phase", id=id, when=when, outcome=outcome, xfail=xfail, sub=sub, ms=ms, message=message)


def _class_name(test):
    return "%s.%s" % (type(test).__module__, type(test).__qualname__)


def _phase_of(trace):
    """Whether an exception came from the test's set-up, its body or its tear-down."""
    names = [frame.f_code.co_name for frame, _ in traceback.walk_tb(trace) if not _is_unittest(frame)]
    first = names[0] if names else ""
    if first in ("setUp", "asyncSetUp"):
        return "setup"
    return "teardown" if first in ("tearDown", "asyncTearDown") else "call"


def _is_unittest(frame):
    module = frame.f_globals.get("__name__", "")
    return module in ("unittest.case", "unittest.async_case", "contextlib") or module.startswith("asyncio.")


if __name__ == "__main__":
    sys.exit(main())
