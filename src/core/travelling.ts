import type { PreparedCandidate } from './candidate.js';

const PATHS_EACH = 10;
const DETAIL_CHARS = 1000;
const TOTAL_BYTES = 16 * 1024;

/**
 * Candidates as they go through Temporal: their lists of paths and their details are cut so that all of them together
 * take 16 KB at most, however many there are; where a list was cut, `counts` says how long it was.
 */
export function travelling(candidates: readonly PreparedCandidate[]): PreparedCandidate[] {
  const bytesEach = Math.floor(TOTAL_BYTES / Math.max(1, candidates.length));
  return candidates.map((candidate) => {
    if (candidate.kind === 'excluded') {
      // A character has three bytes at most here: those that take four count as two.
      return { ...candidate, detail: candidate.detail.slice(0, Math.min(DETAIL_CHARS, Math.floor(bytesEach / 3))) };
    }
    const changedFiles = fitting({ paths: candidate.changedFiles, maxBytes: bytesEach / 2 });
    const setAside = fitting({ paths: candidate.setAside, maxBytes: bytesEach / 2 });
    const counts = { changedFiles: candidate.changedFiles.length, setAside: candidate.setAside.length };
    const isCut = changedFiles.length < counts.changedFiles || setAside.length < counts.setAside;
    return { ...candidate, changedFiles, setAside, ...(isCut ? { counts } : {}) };
  });
}

function fitting({ paths, maxBytes }: { paths: readonly string[]; maxBytes: number }): string[] {
  let left = maxBytes;
  return paths.slice(0, PATHS_EACH).filter((path) => {
    const bytes = new TextEncoder().encode(JSON.stringify(path)).length + 1;
    if (bytes > left) return false;
    left -= bytes;
    return true;
  });
}
