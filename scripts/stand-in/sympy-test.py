#!/usr/bin/env python
"""bin/test of sympy's repository, which its releases lack: the options that are used with it."""
import os
import sys
from argparse import ArgumentParser

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

parser = ArgumentParser()
parser.add_argument('paths', nargs='*')
parser.add_argument('-v', '--verbose', action='store_true')
parser.add_argument('-C', '--no-cache', dest='cache', action='store_false')
parser.add_argument('--no-colors', dest='colors', action='store_false')
parser.add_argument('-k', dest='kw')
options = parser.parse_args()
os.environ['SYMPY_USE_CACHE'] = 'yes' if options.cache else 'no'

import sympy  # noqa: E402

ok = sympy.test(
    *options.paths,
    verbose=options.verbose,
    colors=options.colors,
    kw=[options.kw] if options.kw else (),
    subprocess=False,
)
sys.exit(0 if ok else 1)
