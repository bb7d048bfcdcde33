export { benchmark } from './benchmark.js';
export { benchmarkItem } from './benchmark-item.js';
export { runMatrix } from './run-matrix.js';
export { selectByMethod } from './select-by-method.js';
export { selectPatch } from './select-patch.js';
