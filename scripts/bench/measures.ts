import { request } from 'undici';
import { BARE, COMMAND, cpuSeconds, type Program, start, temporaryFolder } from './programs.ts';
import { chats, sendAll, textOf } from './requests.ts';

/** Fewer than the mock completes at once for its primary key; a proxy has no such limit. */
const CONNECTIONS = { mock: 10, proxy: 64 };

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
    sendAll(server, chats(COMPLETIONS, mock.keys, stream), CONNECTIONS.mock, () => cpuSeconds(server));
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

/** From the start of the process to the end of its first answer. */
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

export async function throughProxy() {
  const { proxy, bare } = await proxies();
  return async () => ({
    ours: await sendAll(proxy, chats(6000), CONNECTIONS.proxy),
    bare: await sendAll(bare, chats(6000), CONNECTIONS.proxy),
  });
}

export async function proxyDelay() {
  const { target, proxy, bare } = await proxies();
  const delay = async (server: Program) => (await microseconds(server)) - (await microseconds(target));
  return async () => ({ ours: await delay(proxy), bare: await delay(bare) });
}

/** What a request takes that is sent alone. */
async function microseconds(server: Program): Promise<number> {
  return 1e6 / (await sendAll(server, chats(1500), 1));
}

/** In front of a service that costs next to nothing, and says what the mock says: that takes judging. */
async function proxies() {
  const target = await start(BARE, 'serve', await textOf(await start(COMMAND, 'mock')));
  const report = temporaryFolder();
  const proxy = await start(COMMAND, 'proxy', '--quiet', '--target', target.url, '--report', report);
  return { target, proxy, bare: await start(BARE, 'pass', target.url) };
}
