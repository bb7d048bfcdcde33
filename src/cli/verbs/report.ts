import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { ArtifactStore } from '../../artifacts/store.js';
import { InputError } from '../../errors.js';
import { renderBenchmarkMarkdown } from '../../report/benchmark-render.js';
import { renderCsv } from '../../report/csv-report.js';
import { builtPage, renderHtml } from '../../report/html-report.js';
import { renderJson } from '../../report/json-report.js';
import { renderMarkdown } from '../../report/markdown-report.js';
import type { PageData } from '../../report/page-data.js';
import { readRunFolder } from '../../report/page-data-folder.js';
import { instancePage } from '../../report/page-data-instance.js';
import { buildReport } from '../../report/report-model.js';
import { notFinished } from '../benchmark/find.js';
import { findFinishedBenchmark } from '../benchmark/finish.js';
import { finishedBenchmarkPage, withInstances } from '../benchmark/page.js';
import { requireFinished } from '../finished-run.js';
import type { Invocation } from '../invocation.js';
import { copyRunFolder } from '../outcome.js';
import { homeFolder, openStore, runFolder } from '../places.js';
import {
  dataOfPlace,
  factsOf,
  finishedMaterial,
  instanceOf,
  type NamedPlace,
  pageOf,
  placeNamed,
} from '../report-material.js';
import { findRun, type RunRecord } from '../run-index.js';

type Format = 'md' | 'html' | 'json' | 'csv';

/** What a report is made from, and where it goes when nobody says. */
interface Reported {
  readonly run: string;
  readonly data: PageData;
  readonly markdown: string;
  /** The run's folder; null where there is none on this machine. */
  readonly folder: string | null;
}

/** `testgrad report RUN`: a finished run as Markdown, one HTML file, JSON or CSV; rendered from store and folder. */
export async function report(invocation: Invocation): Promise<number> {
  const { terminal, values } = invocation;
  const format = (values.text('format') ?? 'md') as Format;
  const reported = await reportedOf(invocation);
  const { run, folder, markdown } = reported;
  const file = targetOf({ invocation, format, folder });
  const text = await rendered({ format, reported });
  if (file !== null) await write({ file, text });
  if (values.on('json')) {
    terminal.json({ schema: 'testgrad.report/1', run, folder, format, file, markdown });
    return 0;
  }
  if (file === null) terminal.out(text);
  else terminal.note(`Wrote ${file}`);
  if (format === 'md' && folder !== null) terminal.note(`All files of the run: ${folder}`);
  return 0;
}

async function reportedOf(invocation: Invocation): Promise<Reported> {
  const { argument = 'last', cwd } = invocation;
  const home = homeFolder(invocation);
  const place = await placeNamed({ reference: argument, cwd });
  if (place !== null) {
    const data = await dataOfPlace(place);
    return { run: data.run.id, data, markdown: await markdownOfPlace({ place, data }), folder: place.dir };
  }
  const record = await findRun({ home, reference: argument });
  const store = await openStore(home);
  if (record.kind === 'bench') return reportedBenchmark({ invocation, home, store, record });
  const finished = await requireFinished({ store, run: record });
  const material = await finishedMaterial({ home, store, runId: record.runId, finished });
  const instance = await instanceOf({ store, digest: record.instance.digest });
  const { runId, kind, name, startedAt } = record;
  const run = { id: runId, kind, name, state: 'finished', startedAt, facts: factsOf({ record, instance }) } as const;
  return {
    run: runId,
    data: pageOf({ run, page: instancePage(material) }),
    markdown: renderMarkdown(buildReport(finished)),
    folder: await copyRunFolder({ invocation, home, runId }),
  };
}

/** A benchmark that has ended, scored anew. */
async function reportedBenchmark({
  invocation,
  home,
  store,
  record,
}: {
  invocation: Invocation;
  home: string;
  store: ArtifactStore;
  record: RunRecord;
}): Promise<Reported> {
  const { cwd, values } = invocation;
  const end = await findFinishedBenchmark({ store, runId: record.runId });
  if (end === null) throw notFinished(record);
  const asked = { home, cwd, store, record };
  const data = await finishedBenchmarkPage({ ...asked, end });
  const full = values.text('format') === 'html' || values.text('format') === 'json';
  return {
    run: record.runId,
    data: full ? await withInstances({ ...asked, data }) : data,
    markdown: benchmarkMarkdown(data) ?? '',
    folder: runFolder({ home, runId: record.runId }),
  };
}

/** The tables of a benchmark's page as Markdown; null for another page. */
function benchmarkMarkdown({ benchmark, run }: PageData): string | null {
  if (benchmark === null) return null;
  const { tables, warnings, summary } = benchmark;
  const title = `${run.name}: ${summary.instances} instances, ${summary.agents.length} agents`;
  return renderBenchmarkMarkdown({ title, warnings, tables });
}

/** The Markdown of what a path names. */
async function markdownOfPlace({ place, data }: { place: NamedPlace; data: PageData }): Promise<string> {
  const tables = benchmarkMarkdown(data);
  if (tables !== null) return tables;
  const material = place.kind === 'run-folder' ? await readRunFolder({ dir: place.dir }) : null;
  if (!material?.decision) throw new Error('A page without a benchmark is made from a decision.');
  return renderMarkdown(buildReport({ ...material, decision: material.decision }));
}

function rendered({ format, reported }: { format: Format; reported: Reported }): Promise<string> | string {
  const { data, markdown } = reported;
  switch (format) {
    case 'md':
      return markdown;
    case 'json':
      return renderJson(data);
    case 'csv':
      return renderCsv(data);
    case 'html':
      return builtPage().then((page) => renderHtml({ page, data }));
  }
}

/** Where the report is written; null for standard output. A page is nothing to print: it goes into the run's folder. */
function targetOf({
  invocation,
  format,
  folder,
}: {
  invocation: Invocation;
  format: Format;
  folder: string | null;
}): string | null {
  const { cwd, values } = invocation;
  const out = values.text('out');
  if (out !== undefined) return out === '-' ? null : resolve(cwd, out);
  if (format !== 'html') return null;
  return join(folder ?? cwd, 'report.html');
}

async function write({ file, text }: { file: string; text: string }): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    throw new InputError({
      code: 'TG-I14',
      what: `The report cannot be written: ${(error as Error).message}`,
      meaning: 'The run is finished and stays as it is.',
      fix: 'Name another file with --out.',
      cause: error,
    });
  }
}
