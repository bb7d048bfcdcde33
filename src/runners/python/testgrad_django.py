"""Runs one file of tests through a project's own Django runner and records it, see testgrad_record.

Started as ``python -m testgrad_django --script tests/runtests.py --file tests/delete/tests.py -- --settings=test_sqlite``.
The script is Django's own ``runtests.py`` or a project's ``manage.py``; whatever it sets up (settings, databases, apps)
is left as it is. What is put in is at the end of it: the result of unittest's text runner also writes the record.
"""

import os
import platform
import runpy
import sys
import traceback
import unittest
import unittest.runner

import testgrad_record as record
import testgrad_script as scripts
import testgrad_unittest as plain

_REPORTS = (
    "startTest",
    "stopTest",
    "addSuccess",
    "addFailure",
    "addError",
    "addSkip",
    "addExpectedFailure",
    "addUnexpectedSuccess",
    "addSubTest",
)


def main():
    options = scripts.options("runtests.py or manage.py")
    record.write(k="start", python=platform.python_version(), runner=_version())
    record.seed()
    state = {"ran": False}
    _put_in(options, state)
    status = _run(options, state)
    record.write_imports()
    record.write(k="finish", status=status)
    record.leave(status)
    return status


def _version():
    try:
        import django

        return "django " + django.get_version()
    except Exception:  # what is wrong with it is told when the script imports it
        return "django"


def _label(options):
    """The dotted name of the file as the script sees it: from its own folder on."""
    folder = os.path.dirname(options.script) or os.curdir
    stem = os.path.splitext(os.path.relpath(options.file, folder))[0]
    return stem.replace(os.sep, ".")


def _labels(options):
    label = _label(options)
    return [".".join([label] + id.split("::")[1:]) for id in options.id] or [label]


def _run(options, state):
    script = os.path.abspath(options.script)
    sys.argv[:] = [options.script] + options.rest + _labels(options)
    # As the interpreter does for a script; the recorder's folder stays behind it.
    sys.path.insert(0, os.path.dirname(script))
    try:
        runpy.run_path(script, run_name="__main__")
        status = 0
    except SystemExit as leave:
        status = scripts.status_of(leave)
        if not state["ran"] and status != 0:
            scripts.not_collected(options.file, "the runner ended before any test: %s" % (leave.code,), "")
    except KeyboardInterrupt as error:
        scripts.ended_early(error)
        status = 2
    except BaseException as error:
        if state["ran"]:
            record.write(k="broken", message=record.excerpt(repr(error), "", traceback.format_exc()))
        else:
            scripts.not_collected(options.file, repr(error), traceback.format_exc())
        status = 1
    return status


def _put_in(options, state):
    """Makes every text runner of unittest, Django's among them, record what it runs."""
    run, make_result = unittest.runner.TextTestRunner.run, unittest.runner.TextTestRunner._makeResult

    def recorded_run(self, test):
        state["ran"] = True
        tests = list(plain._flat(test))
        broken = [one for one in tests if type(one).__name__ in ("_FailedTest", "ModuleImportFailure")]
        for one in broken:
            message = plain._failed_load(one)
            record.write(k="collect", id=options.file, outcome="failed", message=message)
        chosen = [one for one in tests if one not in broken]
        record.write(k="collected", ids=[plain._id(options.file, one) for one in chosen])
        record.write_imports()
        state["recorder"] = plain._RecordingResult(options.file, chosen)
        return run(self, unittest.TestSuite() if options.collect else test)

    def recorded_result(self):
        result = make_result(self)
        for name in _REPORTS:
            _also(result, name, state)
        return result

    unittest.runner.TextTestRunner.run = recorded_run
    unittest.runner.TextTestRunner._makeResult = recorded_result


def _also(result, name, state):
    """Has a report of the result written to the record as well, before it does what it always does."""
    own = getattr(result, name)

    def report(test, *args):
        if type(test).__name__ not in ("_FailedTest", "ModuleImportFailure"):
            getattr(state["recorder"], name)(test, *args)
        return own(test, *args)

    setattr(result, name, report)


if __name__ == "__main__":
    sys.exit(main())
