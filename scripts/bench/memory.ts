import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'undici';
import { BARE, COMMAND, kilobytes, type Program, start } from './programs.ts';
import { chats, sendAll } from './requests.ts';

const HELD = 10_000;
/** Connections that are opened without a pause: fewer than wait to be accepted. */
const AT_ONCE = 250;
const WIDTH = 10;
/** Both servers have then grown as large as ordinary traffic makes them. */
const WARM_UP = 5000;

/** The memory of connections on which a request waits forever. */
export async function heldConnections() {
  const faulty = ['--concurrency', `${HELD + 1}`, '--fault', `timeout after=${WARM_UP}`];
  const ours = await perConnection(await start(COMMAND, 'mock', ...faulty));
  return { ours, bare: await perConnection(await start(BARE, 'hold', `${WARM_UP}`)) };
}

async function perConnection(server: Program): Promise<number> {
  await sendAll(server, chats(WARM_UP - WIDTH, server.keys), WIDTH);
  const before = kilobytes(server);
  const clients: Client[] = [];
  for (const [index, chat] of chats(HELD, server.keys).entries()) {
    const client = new Client(new URL(server.url).origin);
    clients.push(client);
    // Never answered: it ends with its connection.
    client.request(chat).catch(() => {});
    await once(client, 'connect');
    if (index % AT_ONCE === 0) await sleep(20);
  }
  await sleep(1500);
  const held = kilobytes(server) - before;
  await Promise.all(clients.map((client) => client.destroy()));
  await server.stop();
  return held / HELD;
}

const MILLION = 1_000_000;

/** The memory of the mock after a million completions, beside that after the first tenth of them. */
export async function aMillion() {
  const mock = await start(COMMAND, 'mock');
  const megabytes = async (completions: number): Promise<number> => {
    // In parts, so that not all requests are in the memory of the bench.
    for (let sent = 0; sent < completions; sent += WARM_UP)
      await sendAll(mock, chats(WARM_UP, mock.keys), WIDTH);
    return kilobytes(mock) / 1024;
  };
  const bare = await megabytes(MILLION / 10);
  const ours = await megabytes(MILLION - MILLION / 10);
  await mock.stop();
  return { ours, bare };
}
