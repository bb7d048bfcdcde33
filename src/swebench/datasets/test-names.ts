import { readPythonList } from './python-list.js';

/**
 * Names of tests as datasets hold them: a list, a JSON list in a string, or a Python list in a string (Pro). An absent or
 * empty value is no name; null for what is none of these.
 */
export function readTestNames(value: unknown): string[] | null {
  if (value === undefined || value === null || value === '') return [];
  if (Array.isArray(value)) return value.every((name) => typeof name === 'string') ? [...value] : null;
  if (typeof value !== 'string') return null;
  try {
    const parsed: unknown = JSON.parse(value);
    return Array.isArray(parsed) ? readTestNames(parsed) : null;
  } catch {
    return readPythonList(value);
  }
}
