import type { BenchmarkActivities } from '../benchmark-contract.js';
import type { Services } from '../services.js';
import { finishBenchmark } from './finish-benchmark.js';
import { keepError, keepResult } from './keep.js';
import { nextItems } from './next-items.js';
import { openItem } from './open-item.js';
import { reconcileItems } from './reconcile-items.js';

/** The activities of a benchmark, on these services. */
export function createBenchmarkActivities({ services }: { services: Services }): BenchmarkActivities {
  return {
    nextItems: (input) => nextItems({ services, input }),
    openItem: (input) => openItem({ services, input }),
    keepResult: (input) => keepResult({ services, input }),
    keepError: (input) => keepError({ services, input }),
    reconcileItems: (input) => reconcileItems({ services, input }),
    finishBenchmark: (input) => finishBenchmark({ services, input }),
  };
}
