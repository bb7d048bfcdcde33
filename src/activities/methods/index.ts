import type { MethodActivities } from '../method-contract.js';
import type { Services } from '../services.js';
import { askEnsemble } from './ensemble.js';
import { finishMethod } from './finish.js';
import { candidateKey, scriptKeys } from './keys.js';
import { countRegressions, pruneTests, regressionTests } from './regression.js';
import { runReproduction, writeReproduction } from './reproduction.js';
import { selectorTurn } from './selector.js';
import { selectorCall } from './selector-call.js';

/** The activities of the methods that TestGRAD is compared with, on these services. */
export function createMethodActivities({ services }: { services: Services }): MethodActivities {
  return {
    askEnsemble: (input) => askEnsemble({ services, input }),
    regressionTests: (input) => regressionTests({ services, input }),
    pruneTests: (input) => pruneTests({ services, input }),
    countRegressions: (input) => countRegressions({ services, input }),
    writeReproduction: (input) => writeReproduction({ services, input }),
    runReproduction: (input) => runReproduction({ services, input }),
    candidateKey: (input) => candidateKey({ services, input }),
    scriptKeys: (input) => scriptKeys({ services, input }),
    selectorTurn: (input) => selectorTurn({ services, input }),
    selectorCall: (input) => selectorCall({ services, input }),
    finishMethod: (input) => finishMethod({ services, input }),
  };
}
