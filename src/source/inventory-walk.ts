import type { ChainUse } from './inventory-facts.js';
import { type NodeType, nodeTypesOf } from './inventory-node-types.js';
import { indentationAt, type PythonNode } from './parser.js';

/** A node with the assignments to names of the function that it stands in. */
export interface Seen {
  readonly node: PythonNode;
  readonly assigned: ReadonlyMap<string, readonly PythonNode[]>;
}

/** What one pass over a syntax tree finds. */
export interface Walked {
  /** Uses of names that no function around them binds, by name. */
  readonly names: ReadonlyMap<string, readonly ChainUse[]>;
  /** Uses of `self.x` and `cls.x` by class (dotted, `''` outside of one) and member. */
  readonly members: ReadonlyMap<string, ReadonlyMap<string, ChainUse>>;
  readonly imports: readonly PythonNode[];
  readonly asserts: readonly Seen[];
  /** Calls by the text of their callee, in the order of the text. */
  readonly calls: readonly (Seen & { readonly callee: string })[];
  /** Definitions (dotted) that hold an assertion. */
  readonly asserting: ReadonlySet<string>;
  /** False where a block is empty or a statement is not indented like the first one, which is no error after a `;`. */
  readonly isEven: boolean;
}

/** A use that is still counted. */
interface Counting extends ChainUse {
  count: number;
}

const CHAIN = /^([^\W\d]\w*)((?:\s*\.\s*\w+)+)$/u;

/**
 * Reads a tree in one pass. `isCheck` tells by a callee's text whether its call asserts; other calls are kept only
 * where `isWanted` says so.
 */
export function walkTree({
  root,
  text,
  isCheck,
  isWanted,
}: {
  readonly root: PythonNode;
  readonly text: string;
  readonly isCheck: (callee: string) => boolean;
  readonly isWanted: (callee: string) => boolean;
}): Walked {
  const names = new Map<string, Map<string, Counting>>();
  const members = new Map<string, Map<string, Counting>>();
  const imports: PythonNode[] = [];
  const asserts: Seen[] = [];
  const calls: (Seen & { callee: string })[] = [];
  const asserting = new Set<string>();
  let isEven = true;
  const types = nodeTypesOf(root.tree.language);
  // The way from the root to the cursor; a stack of its own, as the nesting may be deeper than the program's.
  const path: NodeType[] = [];
  const headers: boolean[] = [];
  /** Indentation of the blocks around by their first statement; null where it is still to come. */
  const indents: (string | null)[] = [];
  /** Names that the functions around bind. */
  const scopes: Set<string>[] = [];
  const classes: string[] = [];
  let outermost = '';
  let assigned = new Map<string, PythonNode[]>();
  // Each look at the cursor is a call into WebAssembly and costs as much as several lines of this, hence few of them.
  const cursor = root.walk();
  const here = (): string => text.slice(cursor.startIndex, cursor.endIndex);
  const isLocal = (name: string): boolean => scopes.some((bound) => bound.has(name));
  const isIn = (field: string | undefined): boolean =>
    field === '' || (field !== undefined && cursor.currentFieldName === field);

  /** A node's own way to its parent starts at the root; the cursor knows it. Only for a first child. */
  const parentNode = (): PythonNode => {
    cursor.gotoParent();
    const node = cursor.currentNode;
    cursor.gotoFirstChild();
    return node;
  };

  /** Returns whether there is something to be seen below the node. */
  const enter = ({ type, parent }: { type: NodeType; parent: NodeType | undefined }): boolean => {
    switch (type.role) {
      case 'import':
        imports.push(cursor.currentNode);
        return false;
      case 'string': {
        // Names inside of f-strings are uses; the others hold none.
        const start = cursor.startIndex;
        return /^\w*f/i.test(text.slice(start, start + 3));
      }
      case 'assert':
        asserts.push({ node: cursor.currentNode, assigned });
        asserting.add(outermost);
        return true;
      case 'raise':
        if (/^raise\s+AssertionError\b/.test(here())) {
          asserting.add(outermost);
        }
        return true;
      case 'attribute':
        return parent?.role === 'attribute' || enterChain(parent);
      case 'identifier':
        enterName(parent);
        return false;
      case 'leaf':
        return false;
      case 'inner':
        return true;
    }
  };

  /** Returns false for a chain of nothing but names, which is counted as a whole. */
  const enterChain = (parent: NodeType | undefined): boolean => {
    const chain = here();
    enterCallee({ parent, callee: chain });
    const [, first, rest = ''] = CHAIN.exec(chain) ?? [];
    if (first === undefined) {
      return true;
    }
    if (headers.at(-1) === true) {
      return false;
    }
    const parts = rest.replaceAll(/\s+/g, '').slice(1);
    if (first === 'self' || first === 'cls') {
      count({ of: members, key: classes.join('.'), rest: parts.split('.', 1)[0] ?? parts });
    } else if (!isLocal(first)) {
      count({ of: names, key: first, rest: parts });
    }
    return false;
  };

  /** A name or a chain straight below a call is what it calls. */
  const enterCallee = ({ parent, callee }: { parent: NodeType | undefined; callee: string }): void => {
    if (parent?.name !== 'call') {
      return;
    }
    const checks = isCheck(callee);
    if (checks || isWanted(callee)) {
      calls.push({ callee, node: parentNode(), assigned });
    }
    if (checks) {
      asserting.add(outermost);
    }
  };

  const enterName = (parent: NodeType | undefined): void => {
    const name = here();
    if (isIn(parent?.binds)) {
      scopes.at(-1)?.add(name);
      if (parent?.name === 'assignment' && scopes.length > 0) {
        const before = assigned.get(name) ?? [];
        assigned.set(name, before);
        before.push(parentNode());
      }
    } else if (isIn(parent?.noUse)) {
      // A function's own scope is open already; its name belongs to the one around it.
      const around = parent?.name === 'function_definition' ? scopes.at(-2) : scopes.at(-1);
      if (parent?.name === 'function_definition' || parent?.name === 'class_definition') {
        around?.add(name);
      }
    } else {
      enterCallee({ parent, callee: name });
      if (headers.at(-1) !== true && !isLocal(name)) {
        count({ of: names, key: name, rest: '' });
      }
    }
  };

  const count = ({ of, key, rest }: { of: Map<string, Map<string, Counting>>; key: string; rest: string }): void => {
    const uses = of.get(key) ?? new Map<string, Counting>();
    of.set(key, uses);
    const known = uses.get(rest);
    if (known === undefined) uses.set(rest, { rest, count: 1, line: cursor.startPosition.row + 1 });
    else known.count += 1;
  };

  const checkIndent = (block: NodeType): void => {
    const indent = indentationAt({ text, index: cursor.startIndex });
    const expected = block.name === 'module' ? '' : (indents.at(-1) ?? indent);
    indents[indents.length - 1] = expected;
    isEven &&= indent === expected;
  };

  const push = ({ type, parent }: { type: NodeType; parent: NodeType | undefined }): void => {
    const isBelow = headers.at(-1) === true && (type.name === 'attribute' || type.name === 'call');
    const isBases = type.name === 'argument_list' && parent?.name === 'class_definition';
    headers.push(isBelow || type.name === 'decorator' || isBases);
    path.push(type);
    if (type.isBlock) indents.push(null);
    const isFunction = type.name === 'function_definition';
    if (scopes.length === 0 && (isFunction || type.name === 'class_definition')) {
      const name = cursor.currentNode.childForFieldName('name')?.text ?? '';
      if (isFunction) {
        outermost = [...classes, name].join('.');
        assigned = new Map();
      } else {
        classes.push(name);
      }
    }
    if (isFunction || type.name === 'lambda') {
      scopes.push(new Set());
    }
  };

  const pop = (): void => {
    const type = path.pop();
    headers.pop();
    if (type?.isBlock && indents.pop() === null && type.name === 'block') {
      isEven = false;
    }
    if (type?.name === 'function_definition' || type?.name === 'lambda') {
      scopes.pop();
      outermost = scopes.length === 0 ? '' : outermost;
    } else if (type?.name === 'class_definition' && scopes.length === 0) {
      classes.pop();
    }
  };

  try {
    for (;;) {
      const type = types(cursor.nodeTypeId);
      const parent = path.at(-1);
      if (parent?.isBlock && type.isStatement) checkIndent(parent);
      if (enter({ type, parent })) {
        push({ type, parent });
        if (cursor.gotoFirstChild()) {
          continue;
        }
        pop();
      }
      while (!cursor.gotoNextSibling()) {
        if (!cursor.gotoParent()) {
          return { names: listed(names), members, imports, asserts, calls, asserting, isEven };
        }
        pop();
      }
    }
  } finally {
    cursor.delete();
  }
}

const listed = (names: ReadonlyMap<string, ReadonlyMap<string, ChainUse>>): ReadonlyMap<string, readonly ChainUse[]> =>
  new Map([...names].map(([name, uses]) => [name, [...uses.values()]]));
