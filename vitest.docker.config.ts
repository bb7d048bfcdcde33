import { defineConfig } from 'vitest/config';

/** They need stand-in images, which are made while the others run. */
const STAND_INS = ['evaluate', 'stand-ins'].map((name) => `test/docker/${name}.docker.ts`);
/** They start workers and kill some, which `orphans` would count and a worker would clear away for it. */
const WORKERS = ['bench', 'select'].map((name) => `test/docker/${name}.docker.ts`);
const COMMON = { pool: 'forks', testTimeout: 120_000, hookTimeout: 300_000, maxWorkers: 2 } as const;

/** Tests with real containers, which `npm run test:docker` runs where there is a daemon. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...COMMON,
          name: 'parts',
          include: ['test/docker/*.docker.ts'],
          exclude: [...STAND_INS, ...WORKERS],
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...COMMON,
          name: 'stand-ins',
          include: STAND_INS,
          globalSetup: ['test/docker/begin-stand-ins.ts'],
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...COMMON,
          name: 'workers',
          include: WORKERS,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
