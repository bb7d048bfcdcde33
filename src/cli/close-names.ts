import { safeLine } from '../report/safe-text.js';
import { closeKeys } from './config/close-keys.js';

/** Names that are told at most. */
const MOST = 3;

/** Known names that someone may have meant: those that hold what was typed, else those a slip or two away. */
export function closeNames({ name, known }: { name: string; known: readonly string[] }): string[] {
  const typed = name.toLowerCase();
  const all = [...new Set(known)];
  const holding = typed.length < 3 ? [] : all.filter((each) => each.toLowerCase().includes(typed));
  const found = holding.length > 0 ? holding : closeKeys({ key: name, known: all });
  return found.slice(0, MOST);
}

/** ` Perhaps a, b?`, or nothing. */
export const perhaps = (close: readonly string[]): string =>
  close.length === 0 ? '' : ` Perhaps ${close.map(safeLine).join(', ')}?`;
