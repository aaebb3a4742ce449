import { request } from 'undici';
import { BARE, COMMAND, cpuSeconds, type Program, start } from './programs.ts';
import { chats, sendAll, textOf } from './requests.ts';

/** Fewer than the mock completes at once for its primary key. */
const CONNECTIONS = 10;

const COMPLETIONS = 1000;
const TURNS = 20;

/**
 * Completions for a second of its CPU: of the mock, and of a bare server that answers each with the same text. They take
 * turns, and of each the best quarter counts: what else the machine does makes the same work cost up to twice as much.
 */
export async function underLoad(stream: boolean) {
  const mock = await start(COMMAND, 'mock');
  const type = stream ? 'text/event-stream' : 'application/json';
  const bare = await start(BARE, 'serve', await textOf(mock, stream), type);
  const load = (server: Program): Promise<number> =>
    sendAll(server, chats(COMPLETIONS, mock.keys, stream), CONNECTIONS, () => cpuSeconds(server));
  return async () => {
    const turns: { readonly ours: number; readonly bare: number }[] = [];
    while (turns.length < TURNS) turns.push({ ours: await load(mock), bare: await load(bare) });
    const best = (side: 'ours' | 'bare'): number =>
      turns.map((turn) => turn[side]).toSorted((one, other) => other - one)[TURNS / 4] ?? Number.NaN;
    return { ours: best('ours'), bare: best('bare') };
  };
}

export async function startUp() {
  return { ours: await toFirstAnswer(COMMAND, 'mock'), bare: await toFirstAnswer(BARE, 'serve', '{}') };
}

async function toFirstAnswer(...args: readonly string[]): Promise<number> {
  const started = performance.now();
  const { url, keys, stop } = await start(...args);
  const headers = { authorization: `Bearer ${keys.primary}` };
  const { body } = await request(`${url}/models`, { headers, reset: true });
  await body.arrayBuffer();
  const ms = performance.now() - started;
  await stop();
  return ms;
}
