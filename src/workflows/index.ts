export { runMatrix } from './run-matrix.js';
export { selectPatch } from './select-patch.js';
