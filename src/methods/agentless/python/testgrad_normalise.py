"""Erases what does not change the meaning of Python source: formatting, comments, docstrings.

Reads one JSON object from the file that is named, or from standard input,
{"files": [{"old": str, "new": str}], "scripts": [str]}, and writes one to standard output, in the same order:
{"files": [{"old": str, "new": str, "onlyNewFunctions": bool}], "scripts": [str]}.
Text that is not Python comes back as it is. Nothing is imported or run. Needs Python 3.9 (`ast.unparse`).

The steps are those of Agentless (postprocess_data.py): parse and unparse, then without docstrings and blank lines,
unless the result is no longer Python.
"""

import ast
import json
import sys


def parsed(source):
    """The syntax tree, or None where there is none."""
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def unparsed(source):
    tree = parsed(source)
    if tree is None:
        return source
    try:
        return ast.unparse(tree)
    except (RecursionError, ValueError):
        return source


def is_text(statement):
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def without_texts(source):
    """Source without statements that are mere strings and without blank lines; None where it would not be Python."""
    tree = parsed(source)
    if tree is None:
        return None
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody"):
            body = getattr(node, name, None)
            if not isinstance(body, list):
                continue
            kept = [statement for statement in body if not is_text(statement)]
            if not kept and body and not isinstance(node, ast.Module):
                return None
            setattr(node, name, kept)
    try:
        text = ast.unparse(tree)
    except (RecursionError, ValueError):
        return None
    text = "\n".join(line for line in text.splitlines() if line.strip())
    return text if parsed(text) is not None else None


def functions_of(tree):
    """Functions and methods by qualified name, each as its source."""
    found = {}

    def visit(node, prefix):
        for child in ast.iter_child_nodes(node):
            name = prefix
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                name = prefix + (child.name,)
                if not isinstance(child, ast.ClassDef):
                    found[name] = ast.unparse(child)
            visit(child, name)

    visit(tree, ())
    return found


def only_new_functions(old, new):
    """True when functions or methods were added and none was removed or altered."""
    old_tree, new_tree = parsed(old), parsed(new)
    if old_tree is None or new_tree is None:
        return False
    try:
        before, after = functions_of(old_tree), functions_of(new_tree)
    except (RecursionError, ValueError):
        return False
    return len(after) > len(before) and all(after.get(name) == text for name, text in before.items())


def normalised_file(old, new):
    old, new = unparsed(old), unparsed(new)
    bare_old, bare_new = without_texts(old), without_texts(new)
    if bare_old is not None and bare_new is not None:
        old, new = bare_old, bare_new
    return {"old": old, "new": new, "onlyNewFunctions": only_new_functions(old, new)}


def normalised_script(source):
    text = unparsed(source)
    bare = without_texts(text)
    return text if bare is None else bare


def main():
    if len(sys.argv) > 1:
        with open(sys.argv[1], encoding="utf-8") as source:
            given = json.load(source)
    else:
        given = json.load(sys.stdin)
    json.dump(
        {
            "files": [normalised_file(each["old"], each["new"]) for each in given.get("files", [])],
            "scripts": [normalised_script(each) for each in given.get("scripts", [])],
        },
        sys.stdout,
    )


if __name__ == "__main__":
    main()
