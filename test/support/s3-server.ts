import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { pythonWithPytest } from './python-venv.js';

/** Only what S3 needs: the whole of moto takes three times as long to install. */
const REQUIREMENTS = ['moto[s3]==5.1.22', 'flask==3.1.2', 'flask-cors==6.0.1'];

// One request at a time: between its check of a condition and its write moto lets other requests in, which no storage
// may. It ends with its standard input, so that it does not outlive a test that is killed.
const PROGRAM = `
import os, sys, threading
from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import make_server

def end_with_stdin():
    sys.stdin.read()
    os._exit(0)

threading.Thread(target=end_with_stdin, daemon=True).start()
server = make_server("127.0.0.1", int(sys.argv[1]), DomainDispatcherApplication(create_backend_app), threaded=False)
print(server.port, flush=True)
server.serve_forever()
`;

/** A running S3-compatible server in memory. */
export interface S3Server {
  readonly endpoint: string;
  /** The standard variables that lead to it. */
  readonly env: Readonly<Record<string, string>>;
  readonly makeBucket: (name: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The secret in {@link S3Server.env}; must appear nowhere. */
export const S3_SECRET = 'a-secret-that-nobody-may-see';

/** Starts moto's server; null, with a line that says so, where it cannot be installed. */
export async function startS3Server({ port = 0 }: { port?: number } = {}): Promise<S3Server | null> {
  let python: string;
  try {
    python = await pythonWithPytest({ requirements: REQUIREMENTS });
  } catch (error) {
    console.log(`skipped: moto[s3] cannot be installed (${(error as Error).message.split('\n')[0]})`);
    return null;
  }
  const child = spawn(python, ['-c', PROGRAM, String(port)], { stdio: ['pipe', 'pipe', 'ignore'] });
  const exited = once(child, 'exit');
  const [line] = (await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    exited.then(([code]) => {
      throw new Error(`moto's server ended with ${code}`);
    }),
  ])) as [string];
  const endpoint = `http://127.0.0.1:${line}`;
  return {
    endpoint,
    env: {
      AWS_ENDPOINT_URL_S3: endpoint,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE0123456',
      AWS_SECRET_ACCESS_KEY: S3_SECRET,
    },
    makeBucket: async (name) => {
      const { ok, status } = await fetch(`${endpoint}/${name}`, { method: 'PUT' });
      if (!ok) throw new Error(`bucket ${name}: HTTP ${status}`);
    },
    close: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
