"""pytest plugin that records a run, see testgrad_record. Loaded with ``-p testgrad_recorder``; pytest 4.6 to 9."""

import os
import platform

import pytest
import testgrad_record as record

# Options that change which tests run or how they are ordered, stop a run early, wait for a person, or belong to plugins
# that may be missing. They come from the project's configuration or from the test command. True: takes a value.
_IGNORED = {
    "-x": False,
    "--exitfirst": False,
    "--maxfail": True,
    "--sw": False,
    "--stepwise": False,
    "--sw-skip": False,
    "--stepwise-skip": False,
    "--sw-reset": False,
    "--stepwise-reset": False,
    "--lf": False,
    "--last-failed": False,
    "--ff": False,
    "--failed-first": False,
    "--nf": False,
    "--new-first": False,
    "--lfnf": True,
    "--last-failed-no-failures": True,
    "-n": True,
    "--numprocesses": True,
    "--maxprocesses": True,
    "--dist": True,
    "--tx": True,
    "-d": False,
    "-f": False,
    "--looponfail": False,
    "--forked": False,
    "--boxed": False,
    "--randomly-seed": True,
    "--randomly-dont-reset-seed": False,
    "--randomly-dont-reorganize": False,
    "--random-order": False,
    "--random-order-bucket": True,
    "--random-order-seed": True,
    "--pdb": False,
    "--trace": False,
    "--cov": True,
    "--cov-append": False,
    "--cov-branch": False,
    "--cov-config": True,
    "--cov-context": True,
    "--cov-fail-under": True,
    "--cov-precision": True,
    "--cov-report": True,
    "--cov-reset": False,
    "--no-cov": False,
    "--no-cov-on-fail": False,
}
_IGNORED_LETTERS = "xdf"
_BUNDLED_LETTERS = set("qvslxdf")

_ids = {}
_rootdir = ""
_status = None

record.write(k="start", python=platform.python_version(), runner="pytest " + pytest.__version__)


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_load_initial_conftests(early_config, parser, args):
    args[:] = _without_ignored(args)
    try:
        # Plugins such as pytest-cov look here, before the options are parsed for good.
        namespace = parser.parse_known_args(args)
        for name in vars(namespace):
            if name != "confcutdir":  # pytest has worked out this one by itself
                setattr(early_config.known_args_namespace, name, getattr(namespace, name))
    except BaseException:  # an unusable option is reported by pytest itself
        pass
    record.seed()
    outcome = yield
    if outcome.excinfo:
        record.write(k="collect", id="", outcome="failed", message=_conftest_message(outcome.excinfo[1]))


def _without_ignored(args):
    kept, position = [], 0
    while position < len(args):
        arg = args[position]
        position += 1
        name, has_value, _ = arg.partition("=")
        if name in _IGNORED:
            following = args[position] if position < len(args) else "-"
            if _IGNORED[name] and not has_value and not following.startswith("-"):
                position += 1
        elif arg.startswith("-n") and not arg.startswith("--"):
            pass  # -n4, -nauto
        elif len(arg) > 2 and arg[0] == "-" and set(arg[1:]) <= _BUNDLED_LETTERS:
            letters = "".join(letter for letter in arg[1:] if letter not in _IGNORED_LETTERS)
            if letters:
                kept.append("-" + letters)
        elif name in ("-p", "--deselect", "--ignore", "-k", "-m", "-o", "-c", "-W") and not has_value:
            kept.extend([arg] + args[position : position + 1])
            position += 1
        else:
            kept.append(arg)
    return kept


def _conftest_message(error):
    cause = getattr(error, "cause", None)
    if cause is None:
        cause = getattr(error, "excinfo", (None, error))[1]
    place = str(getattr(error, "path", ""))
    return record.excerpt("%s: %s" % (type(cause).__name__, cause), place)


def pytest_configure(config):
    global _rootdir
    _rootdir = str(getattr(config, "rootpath", None) or config.rootdir)


def pytest_collectreport(report):
    if report.outcome == "passed":
        return
    message = _failure(report) if report.failed else _skip_reason(report)
    record.write(k="collect", id=_id(report.nodeid), outcome=report.outcome, message=message)


def pytest_collection_finish(session):
    ids = []
    for item in session.items:
        path = getattr(item, "path", None) or item.fspath
        _ids[item.nodeid] = _joined(record.relative(path), item.nodeid)
        ids.append(_ids[item.nodeid])
    record.write(k="collected", ids=ids)
    record.write_imports()


def pytest_runtest_logstart(nodeid):
    record.write(k="begin", id=_id(nodeid))
    record.seed(_id(nodeid))


def pytest_runtest_logreport(report):
    message = ""
    if report.outcome == "failed":
        message = _failure(report)
    elif report.outcome == "skipped":
        message = record.excerpt(getattr(report, "wasxfail", "") or _skip_reason(report))
    record.write(
        k="phase",
        id=_id(report.nodeid),
        when=report.when,
        outcome=report.outcome,
        xfail=hasattr(report, "wasxfail"),
        sub=hasattr(report, "context"),
        ms=int(report.duration * 1000),
        message=message,
    )


def pytest_runtest_logfinish(nodeid):
    record.write(k="end", id=_id(nodeid))


def pytest_internalerror(excrepr):
    record.write(k="broken", message=record.excerpt("pytest broke", "", str(excrepr)))


def pytest_keyboard_interrupt(excinfo):
    record.write(k="broken", message=record.excerpt("the run was ended early: %s" % excinfo.exconly()))


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(exitstatus):
    global _status
    _status = int(exitstatus)
    record.write_imports()
    record.write(k="finish", status=_status)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure():
    # What pytest does from here on, several full garbage collections among it, takes a quarter of a small file's time.
    # An error in how it was called is only told afterwards.
    if _status in (0, 1, 5):
        record.leave(_status)


def _id(nodeid):
    """Id relative to the repository: pytest's own is relative to its rootdir, which may be a folder of it."""
    known = _ids.get(nodeid)
    if known is not None:
        return known
    file = nodeid.partition("::")[0]
    return _joined(record.relative(os.path.join(_rootdir, file)), nodeid) if file else nodeid


def _joined(file, nodeid):
    _, separator, rest = nodeid.partition("::")
    return file + separator + rest


def _failure(report):
    crash = getattr(report.longrepr, "reprcrash", None)
    text = getattr(report, "longreprtext", None) or str(report.longrepr)
    context = getattr(report, "context", None)
    prefix = "" if context is None else "sub-test %s: " % _sub_test_name(context)
    if crash is None:
        return record.excerpt(prefix + _last_error(text), "", text)
    file = record.relative(crash.path)
    # An assertion method's own place, in the standard library, says nothing.
    place = "" if os.path.isabs(file) else "%s:%s" % (file, crash.lineno)
    return record.excerpt(prefix + crash.message, place, text)


def _last_error(text):
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    errors = [line[1:].strip() for line in lines if line.startswith("E ")]
    return (errors or lines or ["failed"])[-1]


def _sub_test_name(context):
    parts = [] if context.msg is None else ["[%s]" % (context.msg,)]
    parts.extend("%s=%s" % (name, value) for name, value in dict(context.kwargs).items())
    return " ".join(parts)


def _skip_reason(report):
    longrepr = report.longrepr
    reason = longrepr[2] if isinstance(longrepr, tuple) and len(longrepr) == 3 else longrepr
    return record.excerpt(str(reason))
