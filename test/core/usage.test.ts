import { describe, expect, it } from 'vitest';
import { NO_USAGE, recordUsage, totalUsage, type Usage, type UsageLedger, usageByRole } from '../../src/core/usage.js';

const spent = (inputTokens: number, usd: number | null): Usage => ({ ...NO_USAGE, calls: 1, inputTokens, usd });

describe('usage ledger', () => {
  const ledger = [
    { role: 'optimizer', step: 1, usage: spent(10, 1) },
    { role: 'judge', step: 1, usage: spent(5, 2) },
    { role: 'optimizer', step: 1, usage: spent(7, 0.5) },
    { role: 'optimizer', step: 2, usage: spent(1, null) },
  ].reduce<UsageLedger>((known, entry) => recordUsage({ ledger: known, ...(entry as UsageLedger[number]) }), []);

  it('has one entry for each role and step', () => {
    expect(ledger.map((entry) => [entry.role, entry.step, entry.usage.inputTokens])).toEqual([
      ['optimizer', 1, 17],
      ['judge', 1, 5],
      ['optimizer', 2, 1],
    ]);
  });

  it('sums by role and in total, and does not invent a price', () => {
    expect(totalUsage(ledger)).toMatchObject({ calls: 4, inputTokens: 23, usd: null });
    expect(usageByRole(ledger).map(({ role, usage }) => [role, usage.calls, usage.usd])).toEqual([
      ['optimizer', 3, null],
      ['judge', 1, 2],
    ]);
    expect(totalUsage([])).toEqual(NO_USAGE);
  });
});
