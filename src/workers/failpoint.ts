import type { InstanceActivities } from '../activities/contract.js';
import type { Services } from '../activities/services.js';

/** A place at which this worker kills itself, for tests of what a crash there costs. */
export interface Failpoint {
  readonly services: (services: Services) => Services;
  readonly activities: (activities: InstanceActivities) => InstanceActivities;
}

/**
 * The failpoint that `TESTGRAD_FAILPOINT` names, null in ordinary life. The process gets SIGKILL when it comes to the
 * place, or with `@n` behind the name for the n-th time:
 *
 * - `begin:ACTIVITY`, `end:ACTIVITY`: before an activity starts, and between its end and Temporal's knowing of it
 * - `before-bind:KIND`, `after-bind:KIND`: around naming what was computed, e.g. `file-outcome`, `decision`
 * - `after-line`: behind the ledger line that says that a model is about to be asked
 * - `after-answer:ROLE`: between a model's answer and its storage
 */
export function failpointOf(env: NodeJS.ProcessEnv): Failpoint | null {
  const named = env.TESTGRAD_FAILPOINT;
  if (named === undefined || named === '') return null;
  const [point, times = '1'] = named.split('@');
  let left = Number(times);
  const reach = (name: string): void => {
    if (name !== point) return;
    left -= 1;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
  };
  return {
    services: (services) => ({
      ...services,
      store: storeWith({ services, reach }),
      model: modelWith({ services, reach }),
    }),
    activities: (activities) => {
      const wrapped = Object.entries(activities).map(([name, run]) => {
        const call = run as (input: unknown) => Promise<unknown>;
        return [
          name,
          async (input: unknown) => {
            reach(`begin:${name}`);
            const result = await call(input);
            reach(`end:${name}`);
            return result;
          },
        ];
      });
      return Object.fromEntries(wrapped) as InstanceActivities;
    },
  };
}

interface Watched {
  readonly services: Services;
  readonly reach: (name: string) => void;
}

function storeWith({ services: { store }, reach }: Watched): Services['store'] {
  return {
    ...store,
    bind: async (binding) => {
      reach(`before-bind:${binding.kind}`);
      const bound = await store.bind(binding);
      reach(`after-bind:${binding.kind}`);
      return bound;
    },
    appendLedger: async (entry) => {
      await store.appendLedger(entry);
      reach('after-line');
    },
  };
}

function modelWith({ services, reach }: Watched): Services['model'] {
  return async () => {
    const model = await services.model();
    return {
      complete: async (call) => {
        const completion = await model.complete(call);
        reach(`after-answer:${call.position.role}`);
        return completion;
      },
    };
  };
}
