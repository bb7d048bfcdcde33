import type { ReuseEvidence } from '../core/suite.js';

/** Uses of one symbol in one file that need no other file to be understood. */
export interface UseFact {
  readonly aspect: ReuseEvidence['aspect'];
  readonly symbol: string;
  /** Of the definition where the file has it, else of the first use; from 1. */
  readonly line: number;
  readonly count: number;
  /** How it is used or what it is, such as a decorator's arguments. */
  readonly detail?: string;
}

/** A name that an import binds, with its uses in the file. */
export interface ImportFact {
  /** Absolute dotted module; of a relative import the path of the module with dots. For a plain `import`, what it binds. */
  readonly module: string;
  /** Name taken from the module, `*` for all; null for a plain `import`. */
  readonly name: string | null;
  readonly bound: string;
  /** As a person would write it: `.models.Author`, `django.db.models.Q`. */
  readonly symbol: string;
  readonly isRelative: boolean;
  readonly line: number;
  /** Uses as a base class and as a decorator are counted elsewhere. */
  readonly uses: readonly ChainUse[];
}

/** Uses of a name with what follows it. */
export interface ChainUse {
  /** What stands behind the name, `Model` of `models.Model`; empty for the name alone. */
  readonly rest: string;
  readonly count: number;
  /** Of the first use, from 1. */
  readonly line: number;
}

/** A fixture, helper or class that a file defines. */
export interface DefinitionFact {
  /** Qualified, `Class.method`; of a fixture the name that tests ask for. */
  readonly name: string;
  /** Class of a fixture that only its tests see, dotted; empty for anything else. */
  readonly within: string;
  /** `tests` is a class that holds tests, at module level: a base that others may derive from. */
  readonly kind: 'fixture' | 'function' | 'class' | 'tests';
  readonly line: number;
  /** Parameters of a function as written, scope of a fixture, bases of a class; whitespace folded, long ones cut. */
  readonly detail: string;
  /** Uses in the file itself. */
  readonly count: number;
  /** Line of the first use in the file, or 0. */
  readonly usedLine: number;
  /** True for a function that asserts something itself. */
  readonly asserts: boolean;
}

/** A name that tests or fixtures of a file ask pytest for. */
export interface RequestFact {
  readonly name: string;
  readonly line: number;
  readonly count: number;
  /** Class of the file, dotted, whose fixture is meant; empty for one of the module or of another file. */
  readonly within: string;
  /** True when a fixture of the module asks for the one of the same name that it replaces. */
  readonly isOverride: boolean;
}

/** The base of a test class. */
export interface BaseFact {
  /** As written, without type arguments. */
  readonly symbol: string;
  readonly line: number;
}

/** What one file knows about testing; plain data that depends on its path and text alone. */
export interface FileInventory {
  readonly path: string;
  /** Why the file was not read, or null. */
  readonly problem: string | null;
  readonly imports: readonly ImportFact[];
  readonly uses: readonly UseFact[];
  readonly definitions: readonly DefinitionFact[];
  readonly requests: readonly RequestFact[];
  readonly bases: readonly BaseFact[];
  /** Modules that `pytest_plugins` names. */
  readonly plugins: readonly string[];
}
