import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'undici';
import { FAULTS } from '../../mock-server/faults/fault-catalogue.ts';
import { COMMAND, type Program, start } from './programs.ts';
import { chats } from './requests.ts';

/** Characters of a text whose answer, whole or as a stream, takes about a megabyte. */
const ONE_MEGABYTE = { whole: 1_000_000, stream: 150_000 };
/** Long enough for whatever happens at once; some answers never end, or take hours. */
const WATCHED_MS = 400;
/** The least of so many counts: what else the machine does is not the mock's. */
const ROUNDS = 3;

/** Every fault with its defaults, and those that take a megabyte apart. */
const RULES = [
  ...Object.keys(FAULTS),
  'wrong_header header=content-encoding how=doubled',
  'pieces bytes=1000',
];

/** How long another request waits while an answer of a megabyte meets a fault: the longest over all faults. */
export async function longestWait() {
  const mock = await start(COMMAND, 'mock', '--control');
  return async () => {
    let longest = { ours: 0, of: '' };
    for (const [form, characters] of Object.entries(ONE_MEGABYTE)) {
      const answers = [{ text: 'é'.repeat(characters / 2), unchecked: true }];
      await control(mock, 'answers', { method: 'PUT', body: JSON.stringify(answers) });
      for (const rule of RULES) {
        await control(mock, 'faults', { method: 'PUT', body: `${rule}\n`, headers: PLAIN });
        const waits: number[] = [];
        while (waits.length < ROUNDS) waits.push(await waitDuring(mock, form === 'stream'));
        const ours = Math.min(...waits);
        if (ours > longest.ours) longest = { ours, of: `${rule}, ${form}` };
      }
    }
    return longest;
  };
}

const PLAIN = { 'content-type': 'text/plain' };

/** The control API meets no fault. */
async function control({ url }: Program, path: string, options?: RequestInit): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(new URL(`/control/${path}`, url), { headers, ...options });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${text}`);
}

async function waitDuring(mock: Program, stream: boolean): Promise<number> {
  const client = new Client(new URL(mock.url).origin);
  const answers = chats(1, mock.keys, stream).map(async (chat) =>
    (await client.request(chat)).body.arrayBuffer(),
  );
  // Most of these answers end badly.
  const read = Promise.allSettled(answers);
  let longest = 0;
  for (const until = performance.now() + WATCHED_MS; performance.now() < until; await sleep(1)) {
    const asked = performance.now();
    await control(mock, 'faults');
    longest = Math.max(longest, performance.now() - asked);
  }
  await client.destroy();
  await read;
  return longest;
}
