import { boundedOutput } from './bounded-output.js';
import { frameReader } from './docker-frames.js';

/** Outputs of a program in a container, as they come. */
export interface DockerOutputs {
  /** Resolves when nothing more can come, also when the connection broke. */
  readonly ended: Promise<void>;
  /** What came until now, each decoded once with replacement. */
  readonly texts: () => { readonly stdout: string; readonly stderr: string; readonly truncated: boolean };
  /** Waits no longer for what may still come. */
  readonly close: () => void;
}

/** Collects both outputs from a connection to a container or to a program in it, `maxBytes` of each. */
export function collectOutputs({
  connection,
  maxBytes,
}: {
  connection: NodeJS.ReadWriteStream;
  maxBytes: number;
}): DockerOutputs {
  const stdout = boundedOutput({ maxBytes });
  const stderr = boundedOutput({ maxBytes });
  connection.on('data', frameReader({ stdout: stdout.write, stderr: stderr.write }));
  const ended = new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) connection.once(event, () => resolve());
  });
  return {
    ended,
    texts: () => ({
      stdout: stdout.text(),
      stderr: stderr.text(),
      truncated: stdout.truncated() || stderr.truncated(),
    }),
    close: () => {
      if ('destroy' in connection && typeof connection.destroy === 'function') connection.destroy();
    },
  };
}
