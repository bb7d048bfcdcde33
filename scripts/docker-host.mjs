// Finds a Docker daemon for scripts: the one at DOCKER_HOST or at the usual socket, else one of their own.
import { answers, prepareDockerd, removeDockerd, startDockerd } from './dockerd.mjs';

const USUAL_SOCKET = '/var/run/docker.sock';

/**
 * `open` finds a daemon; where none answers and this is root on Debian, Docker is installed if need be and a daemon is
 * started. It gives `host` for DOCKER_HOST and `reason`, why there is none, which is empty when there is one. `close`
 * ends a daemon that was started here, also one that is just starting, and removes all that it had.
 *
 * `dir` is where a daemon of one's own has its data; it is made. Sockets are in it, so its path must be short.
 */
export function dockerHost({ dir }) {
  let opening;
  let closing;
  return {
    open: () => (opening ??= open({ dir })),
    close: () => (closing ??= close({ opening, dir })),
  };
}

async function open({ dir }) {
  if (process.env.DOCKER_HOST !== undefined) return { host: process.env.DOCKER_HOST, reason: '' };
  if (await answers({ socket: USUAL_SOCKET })) return { host: `unix://${USUAL_SOCKET}`, reason: '' };
  const reason = prepareDockerd();
  if (reason !== '') return { host: '', reason };
  try {
    const daemon = await startDockerd({ dir });
    return { host: daemon.host, reason: '', daemon };
  } catch (error) {
    removeDockerd({ dir });
    return { host: '', reason: error.message.replaceAll('\n', ' ') };
  }
}

async function close({ opening, dir }) {
  const { daemon } = (await opening) ?? {};
  if (daemon === undefined) return;
  await daemon.stop();
  removeDockerd({ dir });
}
