import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { PageData } from './page-data.js';

const compress = promisify(gzip);

/** Where the built page may be: beside the built program, or in the build when the program runs from its sources. */
const PLACES = ['../page/index.html', '../../dist/page/index.html'] as const;

/** What the built page has in the place of its data. */
const DATA_PLACE = '<script type="application/octet-stream" id="data"></script>';

/** The page of reports and viewer, one HTML file without its data. Rejects when the page was not built. */
export async function builtPage(): Promise<string> {
  for (const place of PLACES) {
    const text = await readFile(fileURLToPath(new URL(place, import.meta.url)), 'utf8').catch(() => '');
    // The page's source has the same name.
    if (text.includes(DATA_PLACE) && !text.includes('main.tsx')) return text;
  }
  throw new Error('The page of reports is missing: the program was not built (node scripts/build.mjs).');
}

/** Digests of a page's scripts and styles, as a Content-Security-Policy names them. */
function digestsOf({ page, element }: { page: string; element: 'script' | 'style' }): string {
  const bodies = [...page.matchAll(new RegExp(`<${element}\\b([^>]*)>([\\s\\S]*?)</${element}>`, 'g'))]
    .filter(([, attributes = '']) => !attributes.includes('application/octet-stream'))
    .map(([, , body = '']) => body);
  return bodies.map((body) => `'sha256-${createHash('sha256').update(body).digest('base64')}'`).join(' ');
}

/** A Content-Security-Policy that lets the page run its own script and, for a viewer, ask its own server; nothing else. */
export function pagePolicy({ page, connect }: { page: string; connect: "'self'" | "'none'" }): string {
  return [
    "default-src 'none'",
    `script-src ${digestsOf({ page, element: 'script' })}`,
    `style-src ${digestsOf({ page, element: 'style' })}`,
    `connect-src ${connect}`,
    // The empty icon.
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/**
 * A report as one HTML file that needs nothing else, from disk and without a network. The data are compressed and in
 * base64, so that no text in them can end the element they are in.
 */
export async function renderHtml({ page, data }: { page: string; data: PageData }): Promise<string> {
  const packed = (await compress(JSON.stringify(data), { level: 9 })).toString('base64');
  const policy = pagePolicy({ page, connect: "'none'" });
  return page
    .replace(
      '<meta charset="utf-8"',
      () => `<meta http-equiv="Content-Security-Policy" content="${policy}"><meta charset="utf-8"`,
    )
    .replace(DATA_PLACE, () => DATA_PLACE.replace('></script>', () => `>${packed}</script>`));
}
