// src/page → one HTML file with everything in it, for reports and the viewer: index.html of the folder that is named.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT, SetupError } from './bootstrap.mjs';

const SRC = join(ROOT, 'src', 'page');

/** Builds the page into `out`; its types are checked first. */
export async function buildPage({ out, check = true }) {
  if (check) {
    const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    const { status } = spawnSync(process.execPath, [tsc, '--noEmit', '-p', SRC], { stdio: ['ignore', 2, 2] });
    if (status !== 0) throw new SetupError('The page was not built: the compiler found errors, see above.');
  }
  const [{ build }, { viteSingleFile }] = await Promise.all([import('vite'), import('vite-plugin-singlefile')]);
  await build({
    configFile: false,
    root: SRC,
    logLevel: 'warn',
    plugins: [viteSingleFile({ removeViteModuleLoader: true })],
    // The classic form of JSX takes a tenth less room than the automatic one.
    oxc: {
      // The same page whatever NODE_ENV says.
      jsx: { development: false, runtime: 'classic', pragma: 'jsxElement', pragmaFrag: 'JsxFragment' },
      jsxInject: "import { h as jsxElement, Fragment as JsxFragment } from 'preact'",
    },
    build: { outDir: out, emptyOutDir: true, modulePreload: false, target: 'es2022' },
  });
  if (!existsSync(join(out, 'index.html'))) throw new SetupError('The page was not built: vite left no index.html.');
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [out] = process.argv.slice(2);
  if (out === undefined) throw new SetupError('Name the folder that the page is built into.');
  await buildPage({ out: resolve(out) });
}
