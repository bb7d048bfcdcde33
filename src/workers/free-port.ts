import { createServer } from 'node:net';

/**
 * A port on 127.0.0.1 that is free now: `preferred` when it is, else one that the system picks. Someone else may take
 * it before it is used.
 */
export async function freePort(preferred: number | null): Promise<number> {
  return (preferred === null ? null : await tryPort(preferred)) ?? (await tryPort(0)) ?? 0;
}

async function tryPort(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen({ port, host: '127.0.0.1' }, () => {
      const address = server.address();
      server.close(() => resolve(address !== null && typeof address === 'object' ? address.port : null));
    });
  });
}
