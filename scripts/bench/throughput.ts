import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { builtInWorld } from '../../mock-server/world/built-in-world.ts';
import { median } from './median.ts';
import { type Sent, sendAll } from './send-all.ts';
import { keyOf, serve } from './serve.ts';

const CONNECTIONS = 64;
const REQUESTS = 20_000;
const ROUNDS = 7;

const PROGRAM = {
  mock: fileURLToPath(new URL('../chat-conformance.js', import.meta.url)),
  bare: fileURLToPath(new URL('./bare-server.js', import.meta.url)),
};

export interface Throughput {
  /** Requests a second, medians. */
  readonly mock: number;
  readonly bare: number;
  /** The median of the ratios of each round. */
  readonly ratio: number;
}

/** The mock's answers a second beside those of a bare server that answers as many bytes, round by round. */
export async function throughput(stream: boolean): Promise<Throughput> {
  const world = join(await mkdtemp(join(tmpdir(), 'bench-')), 'world.json');
  await writeFile(world, JSON.stringify(wideWorld()));
  const mock = await serve([PROGRAM.mock, 'mock', '--world', world]);
  const requests = chats(keyOf(mock), stream);
  const { bytes, contentType } = await sample(mock.url, requests);
  const bare = await serve([PROGRAM.bare, String(bytes), contentType]);
  try {
    const rounds: { mock: number; bare: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      rounds.push({
        bare: await sendAll(new URL(bare.url).origin, requests, CONNECTIONS),
        mock: await sendAll(new URL(mock.url).origin, chats(keyOf(mock), stream), CONNECTIONS),
      });
    }
    return {
      mock: median(rounds.map((round) => round.mock)),
      bare: median(rounds.map((round) => round.bare)),
      ratio: median(rounds.map((round) => round.mock / round.bare)),
    };
  } finally {
    await Promise.all([mock.stop(), bare.stop(), rm(dirname(world), { recursive: true })]);
  }
}

/** The built-in world, with room for every connection at once. */
function wideWorld(): object {
  return { keys: builtInWorld.keys.map((key) => ({ ...key, concurrency: CONNECTIONS })) };
}

let sent = 0;

/** Chats of 204 bytes or so, each under an Idempotency-Key of its own, so that none is a repetition. */
function chats(key: string, stream: boolean): Sent[] {
  const body = Buffer.from(
    JSON.stringify({
      model: 'compact-1',
      messages: [
        { role: 'system', content: 'You answer in one short sentence.' },
        { role: 'user', content: 'What is the capital of France, please?' },
      ],
      max_tokens: 16,
      ...(stream && { stream }),
    }),
  );
  return Array.from({ length: REQUESTS }, () => ({
    method: 'POST',
    path: '/v1/chat/completions',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': `bench-${(sent += 1)}`,
    },
    body,
  }));
}

/** How long an answer is on average, and its content type. */
async function sample(
  url: string,
  requests: readonly Sent[],
): Promise<{ bytes: number; contentType: string }> {
  const sizes: number[] = [];
  let contentType = '';
  for (const { headers, body } of requests.slice(0, 50)) {
    const answer = await request(`${url}/chat/completions`, { method: 'POST', headers, body: body ?? null });
    const { byteLength } = await answer.body.arrayBuffer();
    if (answer.statusCode !== 200) throw new Error(`the mock answered ${answer.statusCode}`);
    sizes.push(byteLength);
    contentType = String(answer.headers['content-type']);
  }
  return { bytes: Math.round(sizes.reduce((sum, size) => sum + size, 0) / sizes.length), contentType };
}
