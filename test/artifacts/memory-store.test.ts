import { createMemoryStore } from '../../src/artifacts/memory-store.js';
import { describeArtifactStore } from './contract.js';

describeArtifactStore({ name: 'memory', open: async () => createMemoryStore() });
