"""Prints one JSON object about the interpreter that runs it. Started as ``python -I testgrad_describe.py``."""

import json
import os
import platform
import re
import sys
import sysconfig


def main():
    entries = [path for path in sys.path if os.path.isdir(path)]
    distributions, editable = set(), set()
    for entry in entries:
        for name in os.listdir(entry):
            if name.endswith((".dist-info", ".egg-info")):
                distributions.add(name)
                editable.update(_editable_target(os.path.join(entry, name)))
            elif name.endswith(".egg-link"):
                editable.update(_egg_link_target(os.path.join(entry, name)))
    paths = sysconfig.get_paths()
    print(
        json.dumps(
            {
                "version": platform.python_version(),
                "implementation": platform.python_implementation(),
                "executable": sys.executable,
                "prefix": sys.prefix,
                "basePrefix": sys.base_prefix,
                "stdlib": [paths["stdlib"], paths["platstdlib"]],
                "importPath": entries,
                "editable": sorted(path for path in editable if os.path.isdir(path)),
                "distributions": sorted(distributions),
                "pytest": _pytest_version(distributions),
            }
        )
    )


def _editable_target(info):
    """Folder of a project that is installed in editable mode, from its metadata (PEP 610)."""
    try:
        with open(os.path.join(info, "direct_url.json")) as file:
            source = json.load(file)
    except (OSError, ValueError):
        return []
    url = source.get("url", "")
    if not source.get("dir_info", {}).get("editable") or not url.startswith("file://"):
        return []
    from urllib.parse import unquote

    return [unquote(url[len("file://") :])]


def _egg_link_target(path):
    with open(path) as file:
        return [file.readline().strip()]


def _pytest_version(distributions):
    for name in distributions:
        # Its metadata answers at once; an import takes half a second.
        found = re.match(r"pytest-(\d[^-]*)[.](?:dist|egg)-info$", name)
        if found:
            return found.group(1)
    try:
        import pytest
    except Exception:  # a broken pytest is as good as none, whatever it raises
        return None
    return pytest.__version__


if __name__ == "__main__":
    main()
