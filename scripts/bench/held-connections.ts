import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'undici';
import { chats, sendAll, worldFile } from './chats.ts';
import { compare, type Row } from './measure.ts';
import { BARE, COMMAND, kilobytes, start } from './programs.ts';

const HELD = 10_000;
const AT_ONCE = 250;
const ROUNDS = 3;
/** Requests that are answered first: both servers have then grown as large as ordinary traffic makes them. */
const WARM_UP = 5000;

/** The memory of connections on which a request waits forever. */
export async function heldConnections(): Promise<readonly Row[]> {
  const world = worldFile(HELD + AT_ONCE);
  const measured = await compare(
    ROUNDS,
    () => perConnection(COMMAND, 'mock', `--world=${world}`, `--fault=timeout after=${WARM_UP}`),
    () => perConnection(BARE, 'hold', `${WARM_UP}`),
  );
  const what = `${HELD.toLocaleString('en')} held connections, KB each`;
  return [{ what, ...measured('size'), goal: 'at most 1.3' }];
}

async function perConnection(...args: readonly string[]): Promise<{ readonly size: number }> {
  const server = await start(...args);
  const clients: Client[] = [];
  try {
    await sendAll(server, chats(server, WARM_UP - AT_ONCE), AT_ONCE);
    const before = kilobytes(server);
    for (const [index, chat] of chats(server, HELD).entries()) {
      const client = new Client(new URL(server.url).origin);
      clients.push(client);
      // Never answered: it ends with its connection.
      client.request(chat).catch(() => {});
      await once(client, 'connect');
      if (index % AT_ONCE === 0) await sleep(20);
    }
    await sleep(1500);
    return { size: (kilobytes(server) - before) / HELD };
  } finally {
    await Promise.all(clients.map((client) => client.destroy()));
    await server.stop();
  }
}
