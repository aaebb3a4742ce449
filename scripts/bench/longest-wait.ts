import { setTimeout as sleep } from 'node:timers/promises';
import { Client, request } from 'undici';
import { FAULTS } from '../../mock-server/faults/catalogue/fault-catalogue.ts';
import { type BenchRequest, chats } from './chats.ts';
import type { Row } from './measure.ts';
import { COMMAND, type Program, start } from './programs.ts';

/** Characters of a text whose answer, whole or as a stream, takes about a megabyte. */
const ONE_MEGABYTE = { whole: 1_000_000, stream: 150_000 };
/** Long enough for whatever happens at once; some answers never end, or take hours. */
const WATCHED_MS = 400;
/** The least of so many counts: what else the machine does is not the mock's. */
const ROUNDS = 3;

/** Every fault with its defaults, and those that take a megabyte apart. */
const RULES = Object.keys(FAULTS)
  .filter((name) => name !== 'wrong_certificate')
  .concat(
    'wrong_header header=content-encoding how=doubled',
    'pieces bytes=1000',
    'bandwidth bytes_per_second=100000000',
  );

/** How long another request waits while an answer of a megabyte meets a fault: the longest over all faults. */
export async function longestWait(): Promise<readonly Row[]> {
  let longest = { ms: 0, fault: '' };
  const mock = await start(COMMAND, 'mock', '--control');
  for (const [form, characters] of Object.entries(ONE_MEGABYTE)) {
    const answers = [{ text: 'é'.repeat(characters / 2), unchecked: true }];
    await put(mock, 'answers', 'application/json', JSON.stringify(answers));
    for (const rule of RULES) {
      await put(mock, 'faults', 'text/plain', `${rule}\n`);
      const rounds: number[] = [];
      while (rounds.length < ROUNDS) rounds.push(await waitDuring(mock, form === 'stream'));
      const ms = Math.min(...rounds);
      if (ms > longest.ms) longest = { ms, fault: `${rule}, ${form}` };
    }
  }
  const what = `longest wait beside 1 MB that meets any fault, ms (${longest.fault})`;
  return [{ what, ours: longest.ms, goal: 'at most 50' }];
}

async function put({ url }: Program, what: string, type: string, rules: string): Promise<void> {
  const options = { method: 'PUT', headers: { 'content-type': type }, body: rules } as const;
  const { statusCode, body } = await request(new URL(`/control/${what}`, url), options);
  if (statusCode >= 300) throw new Error(`${what}: ${await body.text()}`);
  await body.dump();
}

/** Its own requests are to the control API, which meets no fault. */
async function waitDuring(mock: Program, stream: boolean): Promise<number> {
  const { origin } = new URL(mock.url);
  const [asked, other] = [new Client(origin), new Client(origin)];
  const wait = async (): Promise<number> => {
    const started = performance.now();
    const { body } = await other.request({ method: 'GET', path: '/control/clock' });
    await body.dump();
    return performance.now() - started;
  };
  try {
    await wait();
    const read = Promise.all(chats(mock, 1, stream).map((chat) => readAll(asked, chat)));
    let longest = 0;
    for (const until = performance.now() + WATCHED_MS; performance.now() < until; await sleep(1))
      longest = Math.max(longest, await wait());
    await asked.destroy();
    await read;
    return longest;
  } finally {
    await other.close();
  }
}

/** Most of these answers end badly. */
async function readAll(client: Client, chat: BenchRequest): Promise<void> {
  try {
    await (await client.request(chat)).body.arrayBuffer();
  } catch {}
}
