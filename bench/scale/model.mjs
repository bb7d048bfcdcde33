// A model that answers late and at length, and counts what it is asked: the one place where paying twice would show.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';

/** Log-normal times around a median, as those of hosted reasoning models; the same for the same request. */
function delayOf({ digest, medianMs }) {
  const [a, b] = [digest.readUInt32BE(0), digest.readUInt32BE(4)].map((value) => (value + 1) / 4_294_967_297);
  const normal = Math.sqrt(-2 * Math.log(a)) * Math.cos(2 * Math.PI * b);
  return Math.min(medianMs * 8, medianMs * Math.exp(0.6 * normal));
}

/**
 * Starts the model on a free loopback port. `medianMs` is the median time of an answer. An answer counts as paid when it was
 * sent whole; a request whose sender died before counts as cut.
 */
export async function startModel({ medianMs }) {
  const answers = new Map();
  const counts = { requests: 0, paid: 0, cut: 0, bytesIn: 0, bytesOut: 0, atOnce: 0, mostAtOnce: 0 };
  const server = createServer((request, response) => {
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      const raw = Buffer.concat(parts);
      const digest = createHash('sha256').update(raw).digest();
      counts.requests += 1;
      counts.bytesIn += raw.length;
      counts.atOnce += 1;
      counts.mostAtOnce = Math.max(counts.mostAtOnce, counts.atOnce);
      let open = true;
      const close = () => {
        if (open) counts.atOnce -= 1;
        open = false;
      };
      response.on('close', () => {
        if (!response.writableFinished) counts.cut += 1;
        close();
      });
      setTimeout(() => {
        if (response.destroyed) return;
        const body = JSON.stringify(completion({ raw, digest }));
        counts.bytesOut += body.length;
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(body, () => {
          const key = digest.toString('hex');
          answers.set(key, (answers.get(key) ?? 0) + 1);
          counts.paid += 1;
        });
      }, delayOf({ digest, medianMs }));
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${server.address().port}/v1`,
    counts: () => ({ ...counts, distinct: answers.size, paidAgain: [...answers.values()].filter((n) => n > 1).length }),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** 600 to 1,400 output tokens of text. */
function completion({ raw, digest }) {
  const words = 450 + (digest[8] % 8) * 85;
  const content = `${digest.toString('hex').slice(0, 12)} ${'so the next test asks for more '.repeat(Math.ceil(words / 7))}`;
  return {
    id: `chat-${digest.toString('hex').slice(0, 8)}`,
    object: 'chat.completion',
    created: 0,
    model: 'scale',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
    usage: {
      prompt_tokens: Math.ceil(raw.length / 4),
      completion_tokens: Math.ceil(content.length / 4),
      total_tokens: Math.ceil((raw.length + content.length) / 4),
    },
  };
}
