import { setTimeout as sleep } from 'node:timers/promises';
import { Client, request } from 'undici';
import { FAULTS } from '../../mock-server/faults/catalogue/fault-catalogue.ts';
import { type BenchRequest, chats, MOCK, type ServerProcess, startServer } from './load.ts';

/** Characters of a text whose answer, whole or as a stream, takes about a megabyte. */
const ONE_MEGABYTE = { whole: 1_000_000, stream: 150_000 };
/** Long enough for whatever happens at once; some answers never end, or take hours. */
const WATCHED_MS = 400;
/** The least of so many counts: what else the machine does is not the mock's. */
const ROUNDS = 3;

/** What is said of the fault whose answer kept another request waiting for longest. */
export interface LongestWait {
  readonly ms: number;
  readonly fault: string;
}

/** Every fault with its defaults, and the one that compresses. */
const RULES = Object.keys(FAULTS)
  .filter((name) => name !== 'wrong_certificate')
  .concat(
    'wrong_header header=content-encoding how=doubled',
    'pieces bytes=1000',
    'bandwidth bytes_per_second=100000000',
  );

/** Milliseconds that another request waits while an answer of a megabyte meets a fault: the longest over all faults. */
export async function longestWait(): Promise<LongestWait> {
  let longest: LongestWait = { ms: 0, fault: '' };
  const mock = await startServer([MOCK, 'mock', '--control']);
  try {
    for (const [form, characters] of Object.entries(ONE_MEGABYTE)) {
      await put(mock, 'answers', [{ text: 'é'.repeat(characters / 2), unchecked: true }]);
      for (const rule of RULES) {
        await put(mock, 'faults', `${rule}\n`);
        const rounds: number[] = [];
        while (rounds.length < ROUNDS) rounds.push(await waitDuring(mock, form === 'stream'));
        const ms = Math.min(...rounds);
        if (ms > longest.ms) longest = { ms, fault: `${rule}, ${form}` };
      }
    }
    return longest;
  } finally {
    await mock.stop();
  }
}

async function put({ url }: ServerProcess, what: string, rules: unknown): Promise<void> {
  const isText = typeof rules === 'string';
  const { statusCode, body } = await request(new URL(`/control/${what}`, url), {
    method: 'PUT',
    headers: { 'content-type': isText ? 'text/plain' : 'application/json' },
    body: isText ? rules : JSON.stringify(rules),
  });
  if (statusCode >= 300) throw new Error(`${what}: ${await body.text()}`);
  await body.dump();
}

/** Its own requests are to the control API, which meets no fault. */
async function waitDuring(mock: ServerProcess, stream: boolean): Promise<number> {
  const { origin } = new URL(mock.url);
  const [asked, other] = [new Client(origin), new Client(origin)];
  const wait = async (): Promise<number> => {
    const start = performance.now();
    const { body } = await other.request({ method: 'GET', path: '/control/clock' });
    await body.dump();
    return performance.now() - start;
  };
  try {
    await wait();
    const read = Promise.all(chats(mock, 1, stream).map((chat) => readAll(asked, chat)));
    let longest = 0;
    for (const end = performance.now() + WATCHED_MS; performance.now() < end; await sleep(1))
      longest = Math.max(longest, await wait());
    await asked.destroy();
    await read;
    return longest;
  } finally {
    await other.close();
  }
}

/** Most of these answers end badly. */
async function readAll(client: Client, { body, ...chat }: BenchRequest): Promise<void> {
  try {
    await (await client.request({ ...chat, body: body ?? null })).body.arrayBuffer();
  } catch {}
}
