import type { Estimate, Range, WorkCount } from '../core/benchmark-estimate.js';
import { fill, hanging, widthOf } from './columns.js';
import { safeLine } from './safe-text.js';
import { countText } from './usage-text.js';

/** What a dry run tells. */
export interface DryRun {
  readonly instances: number;
  readonly agents: number;
  readonly sizes: readonly number[];
  readonly width: number;
  readonly work: readonly WorkCount[];
  /** Images that have to be there, each once; empty where all instances run on this machine. */
  readonly images: number;
  readonly estimate: Estimate;
}

const between = (range: Range, text: (value: number) => string): string => {
  const [low, high] = [text(range.low), text(range.high)];
  return low === high ? low : `${low} to ${high}`;
};

const minutesText = (minutes: number): string =>
  minutes < 90
    ? `${Math.ceil(minutes)} min`
    : minutes < 48 * 60
      ? `${(minutes / 60).toFixed(1)} h`
      : `${(minutes / 1440).toFixed(1)} days`;

/** A dry run for a terminal of so many columns. */
export function renderDryRun({ dryRun, columns }: { dryRun: DryRun; columns: number }): string {
  const { instances, agents, sizes, work, images, estimate, width } = dryRun;
  const left = work.reduce((sum, each) => sum + each.left, 0);
  const items = work.reduce((sum, each) => sum + each.items, 0);
  const names = work.map(({ arm }) => safeLine(arm));
  const nameWidth = Math.max(6, ...names.map(widthOf));
  const table = work.map(
    ({ items: all, left: open }, index) =>
      ` ${fill({ text: names[index] ?? '', columns: nameWidth })}  ${String(all).padStart(6)}  ${String(open).padStart(6)}`,
  );
  const facts: [string, string][] = [
    ['tokens', between(estimate.tokens, countText)],
    ['price', estimate.usd === null ? 'unknown' : between(estimate.usd, (usd) => `$${usd.toFixed(2)}`)],
    ['time', `${between(estimate.minutes, minutesText)}, ${width} at a time`],
    [
      'images',
      images === 0
        ? 'none'
        : `${images}; several GB each, about ${between(diskGb(images), (gb) => `${Math.round(gb)} GB`)} when all are kept`,
    ],
  ];
  return `${[
    ` ${instances} instances, ${agents} agents, N = ${sizes.join(', ')}: ${items} runs, ${items - left} of them done, ${left} to do.`,
    '',
    ` ${fill({ text: 'method', columns: nameWidth })}    runs   to do`,
    ...table,
    '',
    ' Estimate of what is to do (nothing was started):',
    ...facts.flatMap(([name, text]) => hanging({ first: ` ${name.padEnd(7)} `, text, columns })),
    '',
    ...estimate.basis.flatMap((text) => hanging({ first: ' - ', text, columns })),
    ...(images === 0
      ? []
      : hanging({
          first: ' - ',
          text: 'Disk: the SWE-bench documentation gives about 2,000 GB for its 500 images and more; layers are shared, so that fewer need more each.',
          columns,
        })),
  ].join('\n')}\n`;
}

/** The harness's documentation speaks of 2,000 GB for all images of Verified; users of images, of several GB each. */
const diskGb = (images: number): Range => ({ low: images * 2, high: images * 4 });
