import { applyEdit } from './apply-edit.js';
import { createBenchmarkActivities } from './benchmark/index.js';
import { checkerTurn } from './checker-turn.js';
import type { InstanceActivities } from './contract.js';
import { executeSuite } from './execute-suite.js';
import { finishInstance } from './finish-instance.js';
import { judgeRows } from './judge-rows.js';
import { createMethodActivities } from './methods/index.js';
import { mineMomentum } from './mine-momentum.js';
import { optimizerTurn } from './optimizer-turn.js';
import { prepareInstance } from './prepare-instance.js';
import { readRepository } from './read-repository.js';
import { releaseInstance } from './release-instance.js';
import { scoreSuite } from './score-suite.js';
import type { Services } from './services.js';

/** The activities of instances and benchmarks on these services. */
export function createActivities({ services }: { services: Services }): InstanceActivities {
  return {
    ...createMethodActivities({ services }),
    ...createBenchmarkActivities({ services }),
    prepareInstance: (input) => prepareInstance({ services, input }),
    executeSuite: (input) => executeSuite({ services, input }),
    scoreSuite: (input) => scoreSuite({ services, input }),
    judgeRows: (input) => judgeRows({ services, input }),
    optimizerTurn: (input) => optimizerTurn({ services, input }),
    readRepository: (input) => readRepository({ services, input }),
    applyEdit: (input) => applyEdit({ services, input }),
    mineMomentum: (input) => mineMomentum({ services, input }),
    checkerTurn: (input) => checkerTurn({ services, input }),
    finishInstance: (input) => finishInstance({ services, input }),
    releaseInstance: (input) => releaseInstance({ services, input }),
  };
}
