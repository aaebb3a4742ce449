import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Pool, request } from 'undici';
import { builtInWorld } from '../../mock-server/world/built-in-world.ts';
import { type Program, temporaryFolder } from './programs.ts';

export interface BenchRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
}

let sent = 0;

/** Chats of 204 bytes or so, each under its own Idempotency-Key, so that none is a repetition. */
export function chats(
  { keys }: Pick<Program, 'keys'>,
  length: number,
  stream = false,
): readonly BenchRequest[] {
  const messages = [
    { role: 'system', content: 'You answer in one short sentence.' },
    { role: 'user', content: 'What is the capital of France, please?' },
  ];
  const chat = { model: 'compact-1', messages, max_tokens: 16, ...(stream && { stream }) };
  const body = Buffer.from(JSON.stringify(chat));
  const common = { authorization: `Bearer ${keys.primary}`, 'content-type': 'application/json' };
  return Array.from({ length }, () => {
    const headers = { ...common, 'idempotency-key': `bench-${(sent += 1)}` };
    return { method: 'POST', path: '/v1/chat/completions', headers, body };
  });
}

/** Sends requests, `width` at a time, and reads every response. Returns the requests per second. */
export async function sendAll(
  { url }: Program,
  requests: readonly BenchRequest[],
  width: number,
): Promise<number> {
  const pool = new Pool(new URL(url).origin, { connections: width, pipelining: 1 });
  try {
    // The connections are opened before the clock starts.
    await sendEach(pool, requests.slice(0, width), width);
    const started = performance.now();
    await sendEach(pool, requests, width);
    return (requests.length * 1000) / (performance.now() - started);
  } finally {
    await pool.close();
  }
}

async function sendEach(pool: Pool, requests: readonly BenchRequest[], width: number): Promise<void> {
  const queue = requests.values();
  const worker = async (): Promise<void> => {
    for (const each of queue) await (await pool.request(each)).body.arrayBuffer();
  };
  await Promise.all(Array.from({ length: width }, worker));
}

/** What a server answers, as texts. Throws unless it serves every request. */
export async function answersOf(
  { url }: Program,
  requests: readonly BenchRequest[],
): Promise<readonly { readonly type: string; readonly text: string }[]> {
  const answers: { type: string; text: string }[] = [];
  for (const { path, ...options } of requests) {
    const { statusCode, headers, body } = await request(new URL(path, url), options);
    if (statusCode !== 200) throw new Error(`${url} answered with ${statusCode}`);
    answers.push({ type: String(headers['content-type']), text: await body.text() });
  }
  return answers;
}

/** The file of the built-in world, with room for so many requests at once. */
export function worldFile(concurrency: number): string {
  const file = join(temporaryFolder(), 'world.json');
  writeFileSync(file, JSON.stringify({ keys: builtInWorld.keys.map((key) => ({ ...key, concurrency })) }));
  return file;
}
