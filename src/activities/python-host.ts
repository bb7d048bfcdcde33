import type { InstanceSpec } from '../core/instance.js';
import { describePython, type PythonDescription } from '../runners/python-environment.js';

const known = new Map<string, Promise<PythonDescription>>();

/**
 * What the sandbox must show of the instance's interpreter on this host; asked once a process and environment. With an
 * image it is nothing: the interpreter is in there.
 */
export async function pythonOnHost(instance: InstanceSpec): Promise<Pick<PythonDescription, 'readOnlyPaths'>> {
  const { environment, repository } = instance;
  if (environment.sandbox === 'docker') return { readOnlyPaths: [] };
  const key = `${environment.python} ${repository.path} ${environment.digest}`;
  const asked = known.get(key);
  if (asked !== undefined) return asked;
  const asking = describePython({ python: environment.python, cwd: repository.path });
  known.set(key, asking);
  // An interpreter that is missing now may be installed later.
  asking.catch(() => known.delete(key));
  return asking;
}
