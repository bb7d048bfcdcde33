import { createFileStore } from '../../src/artifacts/file-store.js';

/** A process of its own that works on a store: `node … store-process.ts <dir> <job> <argument>`. */
const [dir = '', job = '', argument = ''] = process.argv.slice(2);
const store = createFileStore({ dir });

if (job === 'bind') {
  const ref = await store.put({ bytes: Buffer.from(argument), mediaType: 'text/plain' });
  const marker = await store.createMarker({ kind: 'turn', key: 'one' });
  const bound = await store.bind({ kind: 'outcome', key: 'one', ref });
  console.log(JSON.stringify({ marker, created: bound.created, digest: bound.ref.digest }));
}

if (job === 'append') {
  for (let entry = 0; entry < 100; entry += 1) {
    await store.appendLedger({ key: 'shared', line: JSON.stringify({ writer: argument, entry }) });
  }
}

if (job === 'put-for-ever') {
  for (let count = 0; ; count += 1) {
    const bytes = Buffer.alloc(200_000, `${argument}-${count};`);
    const ref = await store.put({ bytes, mediaType: 'text/plain' });
    await store.bind({ kind: 'put', key: String(count), ref });
    console.log(ref.digest);
  }
}

if (job === 'fill') {
  try {
    await store.put({ bytes: Buffer.alloc(4_000_000, 1), mediaType: 'application/octet-stream' });
    console.log('stored');
  } catch (error) {
    console.log(error instanceof Error && 'code' in error ? error.code : String(error));
  }
  const small = await store.put({ bytes: Buffer.from('small'), mediaType: 'text/plain' });
  console.log(Buffer.from(await store.get(small)).toString());
}
