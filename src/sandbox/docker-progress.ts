/** A line of Docker's report on a pull or a build. */
interface ProgressLine {
  readonly id?: string;
  readonly status?: string;
  readonly stream?: string;
  readonly error?: string;
  readonly progressDetail?: { readonly current?: number; readonly total?: number };
}

/** How often progress is passed on. */
const EVERY_MS = 1_000;

/** Reads a report to its end; rejects with the error that it holds, or when the connection breaks. */
export async function readProgress({
  stream,
  onProgress,
  signal,
}: {
  stream: NodeJS.ReadableStream;
  onProgress?: ((text: string) => void) | undefined;
  signal?: AbortSignal | undefined;
}): Promise<void> {
  const layers = new Map<string, { current: number; total: number; done: boolean }>();
  let shownAt = Number.NEGATIVE_INFINITY;
  const onAbort = (): void => {
    if ('destroy' in stream && typeof stream.destroy === 'function') stream.destroy();
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    for await (const line of linesOf(stream)) {
      if (line.error !== undefined) throw new Error(line.error);
      const { id, status = '', progressDetail: { current = 0, total = 0 } = {} } = line;
      if (id !== undefined && status === 'Downloading') layers.set(id, { current, total, done: false });
      if (id !== undefined && /^(Download complete|Pull complete|Already exists)$/.test(status)) {
        const size = layers.get(id)?.total ?? 0;
        layers.set(id, { current: size, total: size, done: true });
      }
      if (performance.now() - shownAt < EVERY_MS) continue;
      shownAt = performance.now();
      onProgress?.(line.stream?.trim() || summary([...layers.values()]));
    }
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}

function summary(
  layers: readonly { readonly current: number; readonly total: number; readonly done: boolean }[],
): string {
  const megabytes = (pick: 'current' | 'total') => Math.round(layers.reduce((sum, one) => sum + one[pick], 0) / 1e6);
  const done = layers.filter((one) => one.done).length;
  return `${megabytes('current')} of ${megabytes('total')} MB, ${done} of ${layers.length} layers`;
}

async function* linesOf(stream: NodeJS.ReadableStream): AsyncGenerator<ProgressLine> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of stream) {
    text += decoder.decode(chunk as unknown as Uint8Array, { stream: true });
    const complete = text.split('\n');
    text = complete.pop() ?? '';
    for (const line of complete) if (line.trim() !== '') yield JSON.parse(line) as ProgressLine;
  }
  if (text.trim() !== '') yield JSON.parse(text) as ProgressLine;
}
