// `node bench/ensemble-lines.mjs INSTANCES.jsonl [AGENT…]`: oracle, expected and adversary for the first 1 … N agents,
// with the agreement between them, from the lists of agents that resolve each instance (`leaderboard_resolved_by`).
// Without agents: how many instances each one resolves. Everything is counted twice, once by src/core/metrics and once
// by sets of ids; exit code 1 when both differ.
import '../test/support/ts-source.mjs';

const { readJsonl } = await import('../src/swebench/datasets/read-jsonl.ts');
const { agentAgreement, uniqueSolves } = await import('../src/core/metrics/agreement.ts');
const { ensembleLines } = await import('../src/core/metrics/ensemble.ts');

const [path, ...agents] = process.argv.slice(2);
if (path === undefined) throw new Error('usage: node bench/ensemble-lines.mjs INSTANCES.jsonl [AGENT…]');

/** Ids that each agent resolves. */
const resolved = new Map();
const ids = [];
for await (const item of readJsonl({ path })) {
  if (item.kind === 'malformed') throw new Error(`${item.place}: ${item.problem}`);
  ids.push(item.value.instance_id);
  for (const agent of item.value.leaderboard_resolved_by ?? []) {
    resolved.set(agent, (resolved.get(agent) ?? new Set()).add(item.value.instance_id));
  }
}

const percent = (rate) => `${(rate * 100).toFixed(1)}%`;

if (agents.length === 0) {
  const counted = [...resolved].sort(([, left], [, right]) => right.size - left.size);
  for (const [agent, own] of counted) console.log(`${String(own.size).padStart(4)} of ${ids.length}  ${agent}`);
} else {
  const unknown = agents.find((agent) => !resolved.has(agent));
  if (unknown !== undefined) throw new Error(`no instance is resolved by ${unknown}`);
  const rows = ids.map((instanceId) => ({
    instanceId,
    candidates: agents.map((agent) => ({
      agent,
      state: 'usable',
      resolution: resolved.get(agent).has(instanceId) ? 'resolved' : 'unresolved',
    })),
  }));
  const lines = ensembleLines({ agents, rows });
  let differ = 0;
  for (const line of lines) {
    const sets = agents.slice(0, line.n).map((agent) => resolved.get(agent));
    const some = sets.reduce((left, right) => left.union(right)).size / ids.length;
    const every = sets.reduce((left, right) => left.intersection(right)).size / ids.length;
    const mean = sets.reduce((sum, own) => sum + own.size, 0) / sets.length / ids.length;
    const isSame = [some - line.oracle, every - line.adversary, mean - line.expected].every(
      (by) => Math.abs(by) < 1e-9,
    );
    if (!isSame) differ += 1;
    const figures = { alone: line.addedRate, best: line.best.rate, oracle: line.oracle };
    const text = Object.entries({ ...figures, expected: line.expected, adversary: line.adversary });
    console.log(
      `N=${line.n}  ${text.map(([name, rate]) => `${name} ${percent(rate)}`).join('  ')}  + ${line.added}${isSame ? '' : '  DIFFERS'}`,
    );
  }
  for (const pair of agentAgreement({ agents, rows })) {
    console.log(
      `agree ${percent(pair.agreement)}  kappa ${pair.kappa?.toFixed(2) ?? '-'}  ${pair.left}  ${pair.right}`,
    );
  }
  for (const { agent, unique } of uniqueSolves({ agents, rows })) console.log(`${unique} by it alone  ${agent}`);
  process.exitCode = differ === 0 ? 0 : 1;
}
