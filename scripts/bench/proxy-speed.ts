import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import {
  BARE,
  BARE_PROXY,
  chats,
  compare,
  type Measured,
  MOCK as COMMAND,
  sendAll,
  type ServerProcess,
  startServer,
} from './load.ts';

const ROUNDS = 5;
const CONNECTIONS = 64;
const REQUESTS = 6000;
const ALONE = 1500;
const CALLER = { keys: { primary: 'key-of-the-benchmark' } };

/** Before a service that costs next to nothing: requests a second, and the microseconds that each takes longer. */
export async function proxySpeed(): Promise<Readonly<Record<'throughput' | 'delay', Measured>>> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-proxy-'));
  const target = await startServer([BARE, await oneAnswer()]);
  const bare = await startServer([BARE_PROXY, target.url]);
  const proxy = await startServer([COMMAND, 'proxy', '--quiet', '--target', target.url, '--report', folder]);
  try {
    const throughput = await compare(ROUNDS, async () => ({
      bare: await sendAll(bare, chats(CALLER, REQUESTS), CONNECTIONS),
      mock: await sendAll(proxy, chats(CALLER, REQUESTS), CONNECTIONS),
    }));
    const delay = await compare(ROUNDS, async () => {
      const direct = await microseconds(target);
      return { bare: (await microseconds(bare)) - direct, mock: (await microseconds(proxy)) - direct };
    });
    return { throughput, delay };
  } finally {
    await Promise.all([proxy, bare, target].map((each) => each.stop()));
    await rm(folder, { recursive: true });
  }
}

async function microseconds(server: ServerProcess): Promise<number> {
  return 1e6 / (await sendAll(server, chats(CALLER, ALONE), 1));
}

/** What the mock answers: judging it takes what judging a real service takes. */
async function oneAnswer(): Promise<string> {
  const mock = await startServer([COMMAND, 'mock']);
  try {
    const [chat] = chats(mock, 1);
    if (chat === undefined) throw new Error('there is no chat');
    const options = { method: 'POST', headers: chat.headers, body: chat.body ?? null } as const;
    return await (await request(`${mock.url}/chat/completions`, options)).body.text();
  } finally {
    await mock.stop();
  }
}
