import { describe, expect, it } from 'vitest';
import { mergeImports } from '../../src/source/merge-imports.js';
import { outlineOf } from '../../src/source/outline.js';
import { findSyntaxError, loadPython } from '../../src/source/parser.js';

async function merge(text: string, ...imports: string[]): Promise<string> {
  const python = await loadPython();
  const outline = python({ text, use: (root) => outlineOf({ root, text }) });
  const result = mergeImports({ python, outline, imports });
  if (result.kind === 'refused') return `refused: ${result.reason}`;
  expect(await findSyntaxError(result.text)).toBeNull();
  return result.text;
}

describe('mergeImports', () => {
  it.each([
    ['import a, b\n', 'import b'],
    ['import a.b\n', 'import a'],
    ['from a import b as c, d\n', 'from a import (d, b as c)'],
    ['from a import b as b\n', 'from a import b'],
    ['from unittest import mock\n', 'import unittest.mock as mock'],
    ['try:\n    import a\nexcept ImportError:\n    a = None\n', 'import a'],
    ['try:\n    from a import b\nexcept ImportError:\n    from c import b\n', 'from a import b'],
    ['from a import *\n', 'from a import *'],
    ['from . import x\nfrom ..y import z\n', 'from ..y import z; from . import x'],
  ])('adds nothing to %j for %j', async (text, entry) => {
    expect(await merge(text, entry)).toBe(text);
  });

  it.each([
    ['one line', 'from a import b  # why\nx\n', 'from a import b, c, d as e  # why\nx\n'],
    ['parentheses', 'from a import (b)\n', 'from a import (b, c, d as e)\n'],
    ['a hanging list', 'from a import (b,\n               x)\n', 'from a import (b,\n               x, c, d as e)\n'],
    ['a trailing comma', 'from a import (b,)\n', 'from a import (b, c, d as e,)\n'],
    [
      'one a line',
      'from a import (\n    b,\n    x,  # why\n)\n',
      'from a import (\n    b,\n    x,  # why\n    c,\n    d as e,\n)\n',
    ],
    [
      'one a line without a comma',
      'from a import (\r\n\tb,\r\n\tx  # why\r\n)\r\n',
      'from a import (\r\n\tb,\r\n\tx,  # why\r\n\tc,\r\n\td as e\r\n)\r\n',
    ],
    ['a continued line', 'from a import b, \\\n    x\n', 'from a import b, \\\n    x, c, d as e\n'],
    ['two on a line', 'from a import b; x = 1\n', 'from a import b, c, d as e; x = 1\n'],
  ])('extends an import in %s', async (_, text, expected) => {
    expect(await merge(text, 'from a import c', 'from a import d as e, c')).toBe(expected);
  });

  it.each([
    [
      'behind the last import',
      'import a\nfrom b import c  # d\n\nx\n',
      'import a\nfrom b import c  # d\nimport q\nfrom r import s\n\nx\n',
    ],
    [
      'in front of later imports',
      'import a\ndef f(): pass\nimport b\n',
      'import a\nimport q\nfrom r import s\ndef f(): pass\nimport b\n',
    ],
    [
      'behind __future__',
      'from __future__ import x\n\ny\n',
      'from __future__ import x\n\nimport q\nfrom r import s\n\ny\n',
    ],
    ['behind a docstring', '"""D\n"""\n\ny\n', '"""D\n"""\n\nimport q\nfrom r import s\n\ny\n'],
    ['behind header comments', '#!/bin/x\n# licence\n\ny\n', '#!/bin/x\n# licence\n\nimport q\nfrom r import s\n\ny\n'],
    [
      'in front of a comment that belongs to a function',
      '# -*- coding: utf-8 -*-\n# on f\ndef f(): pass\n',
      '# -*- coding: utf-8 -*-\nimport q\nfrom r import s\n\n\n# on f\ndef f(): pass\n',
    ],
    ['at the top', '\uFEFFdef f(): pass\r\n', '\uFEFFimport q\r\nfrom r import s\r\n\r\n\r\ndef f(): pass\r\n'],
    ['without a final line break', 'import a', 'import a\nimport q\nfrom r import s'],
    ['into nothing', '', 'import q\nfrom r import s\n'],
  ])('adds new statements %s', async (_, text, expected) => {
    expect(await merge(text, 'import q', 'from r import s', 'import q')).toBe(expected);
  });

  it('puts __future__ imports first', async () => {
    expect(await merge('"""D"""\nimport a\n', 'from __future__ import annotations', 'import b')).toBe(
      '"""D"""\n\nfrom __future__ import annotations\nimport a\nimport b\n',
    );
  });

  it('does not take an import for type checkers for one', async () => {
    const text = 'from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from a import b\n';
    expect(await merge(text, 'from a import b')).toBe(
      'from typing import TYPE_CHECKING\nfrom a import b\nif TYPE_CHECKING:\n    from a import b\n',
    );
  });

  it.each([
    ['if PY:\n    import a\n', 'import a', 'import a\n\nif PY:\n    import a\n'],
    ['if PY:\n    from x import a\nelse:\n    from y import a\n', 'from x import a', null],
  ])(
    'takes an import under a condition for one only where the name is bound either way: %j',
    async (text, entry, expected) => {
      expect(await merge(text, entry)).toBe(expected ?? text);
    },
  );

  it.each([
    ['import a; x = """\n1\n"""\n', 'import a; x = """\n1\n"""\nimport q\n'],
    ['"""D"""; x = [\n1]\n', '"""D"""; x = [\n1]\n\nimport q\n'],
  ])('goes behind what else is on the line of %j', async (text, expected) => {
    expect(await merge(text, 'import q')).toBe(expected);
  });

  it('adds a submodule beside its package', async () => {
    expect(await merge('import os\n', 'import os.path')).toBe('import os\nimport os.path\n');
  });

  it.each([
    ['from a import b\n', 'from c import b', /Line 1 gives `b` another meaning/],
    ['x = 1\ndef b(): pass\n', 'from c import b', /Line 2/],
    ['b = 1\n', 'import c as b', /Line 1/],
    ['', 'x = 1', /not an import statement/],
    ['', 'import', /not an import statement/],
    ['', '# nothing', /not an import statement/],
  ])('refuses for %j the entry %j', async (text, entry, reason) => {
    expect(await merge(text, entry)).toMatch(reason);
  });
});
