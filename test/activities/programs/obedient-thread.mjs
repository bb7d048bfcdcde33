// A thread in the miner's place that does what it is told, and says in `tokens` which one it is.
import { parentPort, threadId } from 'node:worker_threads';

parentPort.on('message', ({ id, task }) => {
  const wish = task.memory[0].direction;
  const answer = () => parentPort.postMessage({ id, momentum: { text: `${wish} ${id}`, tokens: threadId } });
  if (wish === 'throw') throw new Error('told to');
  if (wish === 'exit') process.exit(3);
  if (wish === 'refuse') parentPort.postMessage({ id, failure: 'refuse' });
  else if (wish === 'slow') setTimeout(answer, 100);
  else if (wish !== 'never') answer();
});
