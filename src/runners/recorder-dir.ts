import { fileURLToPath } from 'node:url';

/** Absolute path of the folder with the Python sources, beside this module both before and after a build. */
export function recorderDir(): string {
  return fileURLToPath(new URL('./python', import.meta.url));
}
