"""What the installed `swebench` says: reads jobs as JSON lines, answers each with one JSON line.

Jobs: {"job": "grade" | "script" | "run-report", ...}. Packages that only downloading, Docker and data sets need are
stood in for by empty modules, so that the package alone has to be installed.
"""

import importlib.abc
import importlib.machinery
import json
import os
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import MagicMock

STUBBED = {
    "bs4", "datasets", "docker", "dotenv", "ghapi", "fastcore", "git", "GitPython", "modal", "requests", "rich", "tqdm",
    "tenacity", "transformers", "jedi", "openai", "anthropic", "tiktoken", "chardet", "typer", "yaml", "click",
}


class Stubs(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in STUBBED:
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        module = MagicMock(name=spec.name)
        module.__path__ = []
        module.__spec__ = spec
        return module

    def exec_module(self, module):
        pass


sys.meta_path.append(Stubs())

import swebench  # noqa: E402
from swebench.harness import grading  # noqa: E402

V4 = swebench.__version__.startswith("4.")


def parser_of(job):
    if V4:
        from swebench.harness.log_parsers import MAP_REPO_TO_PARSER

        return MAP_REPO_TO_PARSER[job["repo"]]
    from swebench.harness.log_parsers import PARSER_REGISTRY

    return PARSER_REGISTRY[job["parser"]]


def grade(job):
    spec = SimpleNamespace(
        instance_id="x__x-1",
        repo=job["repo"],
        version=job["version"],
        log_parser=job["parser"],
        eval_type=job["evalType"],
        FAIL_TO_PASS=job["failToPass"],
        PASS_TO_PASS=job["passToPass"],
    )
    folder = Path(tempfile.mkdtemp())
    log = folder / "test_output.txt"
    log.write_bytes(bytes.fromhex(job["log"]))
    text = log.read_text(encoding="utf-8", errors="replace")
    answer = {}
    try:
        answer["statuses"] = list(parser_of(job)(text, spec).items())
    except Exception as error:
        answer["parserError"] = type(error).__name__
    try:
        prediction = {"instance_id": "x__x-1", "model_name_or_path": "m", "model_patch": "p"}
        report = grading.get_eval_report(spec, prediction, log, True)
        answer["report"] = json.dumps(report, indent=4)
        tests = report["x__x-1"].get("tests_status")
        answer["resolution"] = grading.get_resolution_status(tests) if tests else None
    except Exception as error:
        answer["gradeError"] = type(error).__name__
    return answer


def script(job):
    if not V4:
        from swebench.harness.utils import make_test_spec

        return {"script": make_test_spec(job["row"]).eval_script}
    from swebench.harness.constants import MAP_REPO_VERSION_TO_SPECS
    from swebench.harness.test_spec.python import get_test_directives, make_eval_script_list_py
    from swebench.harness.utils import get_modified_files

    row = job["row"]
    specs = MAP_REPO_VERSION_TO_SPECS[row["repo"]][row["version"]]
    lines = make_eval_script_list_py(row, specs, "testbed", "/testbed", row["base_commit"], row["test_patch"])
    return {
        "script": "\n".join(["#!/bin/bash", "set -uxo pipefail"] + lines) + "\n",
        "directives": get_test_directives(row),
        "modified": get_modified_files(row["test_patch"]),
    }


def projects(job):
    from swebench.harness.constants import MAP_REPO_VERSION_TO_SPECS

    keys = ("test_cmd", "python", "install", "eval_commands")
    return {
        repo: {
            version: {key: specs[key] for key in keys if key in specs}
            for version, specs in MAP_REPO_VERSION_TO_SPECS[repo].items()
        }
        for repo in job["repos"]
    }


def run_report(job):
    from swebench.harness.reporting import make_run_report

    os.chdir(job["folder"])
    predictions = {prediction["instance_id"]: prediction for prediction in job["predictions"]}
    dataset = [{"instance_id": name, "image": ""} for name in job["dataset"]]
    name = make_run_report(predictions, dataset, job["runId"], None)
    return {"name": str(name), "text": Path(name).read_text()}


JOBS = {"grade": grade, "script": script, "projects": projects, "run-report": run_report}
out = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
for line in sys.stdin:
    job = json.loads(line)
    try:
        answer = JOBS[job["job"]](job)
    except Exception as error:
        answer = {"error": repr(error)}
    out.write(json.dumps(answer) + "\n")
    out.flush()
