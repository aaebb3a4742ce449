import { type Dispatcher, Pool } from 'undici';
import type { Program } from './programs.ts';

let sent = 0;

/** Chats of 204 bytes or so, each under its own Idempotency-Key, so that none is a repetition. */
export function chats(
  length: number,
  keys: Program['keys'] = { primary: 'key-of-the-benchmark' },
  stream = false,
) {
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

/** Sends requests, `width` at a time, and reads every response. Returns the requests per second of a clock. */
export async function sendAll(
  { url }: Program,
  requests: readonly Dispatcher.RequestOptions[],
  width: number,
  seconds = () => performance.now() / 1000,
): Promise<number> {
  const pool = new Pool(new URL(url).origin, { connections: width, pipelining: 1 });
  const sendEach = async (queue: Iterable<Dispatcher.RequestOptions>): Promise<void> => {
    for (const each of queue) await (await pool.request(each)).body.arrayBuffer();
  };
  try {
    // The connections are opened before the clock starts.
    await Promise.all(requests.slice(0, width).map((each) => sendEach([each])));
    const started = seconds();
    const queue = requests.values();
    await Promise.all(Array.from({ length: width }, () => sendEach(queue)));
    return requests.length / (seconds() - started);
  } finally {
    await pool.close();
  }
}

export async function textOf({ url, keys }: Program, stream = false): Promise<string> {
  const [chat] = chats(1, keys, stream);
  const response = await fetch(`${url}/chat/completions`, chat);
  if (!response.ok) throw new Error(`${url} answered with ${response.status}`);
  return response.text();
}
