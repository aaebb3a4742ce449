import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Attack, ATTACKS, type AttackName } from './attacks.ts';

const SERVED = { choices: [{ message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }] };
const MODELS = { data: [{ id: 'any-1' }] };

function answered(value: unknown): string {
  const body = JSON.stringify(value);
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

/** Serves every request but the first that an attack is for. */
export class HostileService {
  readonly #attack: Attack;
  readonly #size: number;
  readonly #onAttack: () => void;
  #isDone = false;

  constructor(attack: Attack, size: number, onAttack: () => void = () => {}) {
    this.#attack = attack;
    this.#size = size;
    this.#onAttack = onAttack;
  }

  /** Listens on a free loopback port; returns its base URL, and what ends it. */
  async start(): Promise<{ readonly baseUrl: string; readonly close: () => void }> {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {}).once('close', () => sockets.delete(socket));
      void this.#serve(socket);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const address = server.address();
    if (typeof address !== 'object' || address === null) throw new Error('it listens at no port');
    const close = (): void => {
      server.close();
      for (const socket of sockets) socket.destroy();
    };
    return { baseUrl: `http://127.0.0.1:${address.port}/v1`, close };
  }

  async #serve(socket: Socket): Promise<void> {
    const request = await requestOn(socket);
    if (request === undefined) return;
    const at = request.startsWith('GET') ? 'models' : 'chat';
    if (at !== this.#attack.at || this.#isDone)
      return void socket.end(answered(at === 'models' ? MODELS : SERVED));
    this.#isDone = true;
    this.#onAttack();
    // Whoever is attacked may hang up at any time.
    await pipeline(Readable.from(this.#attack.answer(this.#size)), socket).catch(() => {});
  }
}

/** The whole request on a new connection; undefined when it breaks. */
async function requestOn(socket: Socket): Promise<string | undefined> {
  let text = '';
  try {
    for (;;) {
      const [bytes]: Buffer[] = await once(socket, 'data');
      text += bytes?.toString('latin1') ?? '';
      const end = text.indexOf('\r\n\r\n');
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0);
      if (end !== -1 && text.length >= end + 4 + length) return text;
    }
  } catch {
    return undefined;
  }
}

/** As a process of its own: the name of an attack and its size; says its base URL. */
const [name, size] = process.argv.slice(2);
const isName = (word: string): word is AttackName => Object.hasOwn(ATTACKS, word);
if (process.send !== undefined && name !== undefined && isName(name)) {
  const service = new HostileService(ATTACKS[name], Number(size), () => process.send?.('attacked'));
  process.send((await service.start()).baseUrl);
  process.once('disconnect', () => void process.exit());
}
