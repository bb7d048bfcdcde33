import { fileURLToPath } from 'node:url';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { pino } from 'pino';
import type { ServerTarget } from '../../src/workers/connection.js';
import { SEARCH_ATTRIBUTE_KEYS } from '../../src/workers/search-attributes.js';
import { findTemporalBinary } from '../../src/workers/temporal-binary.js';
import { installRuntime } from '../../src/workers/worker-logger.js';

/** Shared by all test files and kept between runs, so that the CLI is downloaded once. */
export const TEST_CACHE_DIR = fileURLToPath(new URL('../../.cache', import.meta.url));

/** For the `beforeAll` that starts a server: the first run on a machine downloads 45 MB. */
export const SERVER_START_TIMEOUT_MS = 180_000;

/** A Temporal dev server in memory, for one test file. */
export interface TestServer {
  readonly env: TestWorkflowEnvironment;
  readonly target: ServerTarget;
  stop(): Promise<void>;
}

/**
 * Starts a dev server with the search attributes registered. `TEST_LOG=info` shows what the SDK logs.
 *
 * `dynamicConfig` are settings of the server by name.
 */
export async function startTestServer({
  dynamicConfig = {},
}: {
  dynamicConfig?: Readonly<Record<string, number>>;
} = {}): Promise<TestServer> {
  const { path } = await findTemporalBinary({ env: process.env, cacheDir: TEST_CACHE_DIR });
  installRuntime(pino({ level: process.env.TEST_LOG ?? 'silent' }));
  const env = await TestWorkflowEnvironment.createLocal({
    server: {
      executable: { type: 'existing-path', path },
      log: { format: 'pretty', level: 'never' },
      searchAttributes: Object.values(SEARCH_ATTRIBUTE_KEYS),
      extraArgs: Object.entries(dynamicConfig).flatMap(([name, value]) => [
        '--dynamic-config-value',
        `${name}=${value}`,
      ]),
    },
  });
  const target = { address: env.address, namespace: env.namespace ?? 'default' };
  return { env, target, stop: () => env.teardown() };
}
