"""What the recorders around a project's own runner, a script of the project, have in common, see testgrad_record."""

import argparse

import testgrad_record as record


def options(script):
    """The recorder's own arguments, and behind them those of the script; ``script`` says what may be one."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--script", required=True, help=script + ", relative to the working directory")
    parser.add_argument("--file", required=True, help="test file, relative to the working directory")
    parser.add_argument("--id", action="append", default=[], help="run these tests only")
    parser.add_argument("--collect", action="store_true")
    parser.add_argument("rest", nargs="*", help="the script's own arguments")
    return parser.parse_args()


def status_of(leave):
    """The exit status that a SystemExit stands for, as the interpreter has it."""
    return int(leave.code) if isinstance(leave.code, int) else 0 if leave.code is None else 1


def not_collected(file, summary, text):
    """Records that the file could not be collected, and why; ``text`` is the report of it."""
    record.write(k="collect", id=file, outcome="failed", message=record.excerpt(summary, "", text))


def ended_early(error):
    """Records that the runner was interrupted."""
    record.write(k="broken", message=record.excerpt("the run was ended early: %r" % error))
