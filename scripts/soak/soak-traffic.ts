import { once } from 'node:events';
import { connect } from 'node:net';
import { HEADERS } from '../../fixtures/chats/wire.ts';
import { createDraw } from '../../mock-server/chat/generate.ts';
import type { SoakMock } from './soak-mock.ts';

/** How a request of the soak ended: its status, or `none` where no whole answer came. */
type End = number | 'none';

/** Where a deed is done: the mock's own world, or a sandbox. */
interface Place {
  readonly url: string;
  readonly control: string;
  readonly key: string;
}

/** A completion that was asked for. It may be asked for again, or looked up in the workspace. */
interface Asked {
  readonly key: string;
  readonly body: string;
  readonly place: Place;
}

type Draw = (n: number) => number;

const REMEMBERED = 200;

const FAULTS = [
  'rate_limit',
  'service_unavailable',
  'gateway_failure status=502 phase=after-debit',
  'gateway_failure status=504 phase=during-generation',
  'connection_closed phase=after-reservation',
  'connection_reset phase=during-generation',
  'connection_reset phase=inside-body',
  'timeout ms=20 phase=after-debit',
  'body_cut bytes=20',
  'stall bytes=10 ms=20',
  'pieces bytes=16',
  'wrong_content_length difference=3',
];

const RAW = [
  'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
  'no request\r\n\r\n',
  'GET /v1/models HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n',
  'POST /v1/chat/completions HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{"model"',
  'POST /v1/chat/completions HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc',
  'GET /v1/models HTTP/1.1\r\n',
];

/** Mixed traffic on a mock: which deeds, and in which order, is drawn from the seed. */
export class SoakTraffic {
  /** How often each deed was done and how it ended. */
  readonly ends = new Map<string, number>();
  readonly #mock: SoakMock;
  readonly #draw: Draw;
  readonly #root: Place;
  readonly #asked: Asked[] = [];
  #done = 0;

  constructor(mock: SoakMock, seed: number) {
    this.#mock = mock;
    this.#draw = createDraw(seed);
    this.#root = { url: mock.url, control: mock.control, key: mock.keys['primary'] ?? '' };
  }

  get done(): number {
    return this.#done;
  }

  /** Does deeds, `width` at a time, until `isOver` says so. */
  async run(width: number, isOver: () => boolean): Promise<void> {
    const worker = async (): Promise<void> => {
      while (!isOver()) await this.#deed();
    };
    await Promise.all(Array.from({ length: width }, worker));
  }

  async #deed(): Promise<void> {
    this.#done += 1;
    const [name, deed] = this.#pick(this.#deeds);
    const end = `${name} ${await deed()}`;
    this.ends.set(end, (this.ends.get(end) ?? 0) + 1);
  }

  readonly #deeds: readonly (readonly [string, () => Promise<End>])[] = [
    ['chat', () => this.#chat(this.#root)],
    ['chat', () => this.#chat(this.#root)],
    ['fault', () => this.#chat(this.#root, { 'x-mock-fault': this.#pick(FAULTS) })],
    ['fault', () => this.#chat(this.#root, { 'x-mock-fault': this.#pick(FAULTS) })],
    ['repeat', () => this.#repeat()],
    ['repeat', () => this.#repeat()],
    ['resolve', () => this.#resolve()],
    ['resolve', () => this.#resolve()],
    ['abort', () => this.#abort()],
    ['refused', () => this.#refused()],
    ['raw', () => this.#raw()],
    ['sandbox', () => this.#sandbox()],
    ['control', () => this.#control(this.#root)],
  ];

  /** A completion under a fresh key. */
  #chat(place: Place, headers: Record<string, string> = {}, signal: AbortSignal | null = null): Promise<End> {
    const content = 'a word '.repeat(1 + this.#draw(20));
    const model = this.#pick(['compact-1', 'compact-1', 'compact-1', 'standard-1', 'steady-1']);
    const body = { model, messages: [{ role: 'user', content }], stream: this.#draw(2) === 0 };
    const asked = { key: crypto.randomUUID(), body: JSON.stringify(body), place };
    this.#asked[this.#done % REMEMBERED] = asked;
    return this.#ask(asked, headers, signal);
  }

  #ask(
    { key, body, place }: Asked,
    headers: Record<string, string> = {},
    signal: AbortSignal | null = null,
  ): Promise<End> {
    const all = { ...authorized(place), [HEADERS.idempotencyKey]: key, ...headers };
    return ended(`${place.url}/chat/completions`, { method: 'POST', headers: all, body, signal });
  }

  /** The same request under the same key: replayed, refused, or new where its key is forgotten. */
  #repeat(): Promise<End> {
    const asked = this.#any();
    return asked === undefined ? this.#chat(this.#root) : this.#ask(asked);
  }

  /** Looks a request up in the workspace, and resolves it if it is under review. */
  async #resolve(): Promise<End> {
    const asked = this.#any();
    if (asked === undefined) return 'none';
    const { control } = asked.place;
    const response = await fetch(`${control}/requests/${asked.key}`).catch(() => undefined);
    if (response === undefined) return 'none';
    const found: { state?: string } = JSON.parse(await response.text());
    if (found.state !== 'under_review') return response.status;
    const body = JSON.stringify({ outcome: this.#pick(['completed', 'failed']) });
    return ended(`${control}/requests/${asked.key}/resolution`, { method: 'POST', body });
  }

  #abort(): Promise<End> {
    return this.#chat(this.#root, {}, AbortSignal.timeout(1 + this.#draw(30)));
  }

  #refused(): Promise<End> {
    const { url, key } = this.#root;
    const headers = { authorization: `Bearer ${this.#pick([key, 'wrong', ''])}` };
    const body = this.#pick(['{', '{}', '[]', 'x'.repeat(2_000_000), '{"model":"none","messages":[]}']);
    return ended(`${url}${this.#pick(['/chat/completions', '/none'])}`, { method: 'POST', headers, body });
  }

  /** Bytes on a connection of their own, which is then reset. */
  async #raw(): Promise<End> {
    const socket = connect(this.#mock.port, '127.0.0.1').on('error', () => {});
    const closed = once(socket, 'close').catch(() => []);
    socket.write(this.#pick(RAW), () => setTimeout(() => socket.resetAndDestroy(), this.#draw(5)));
    await closed;
    return 'none';
  }

  /** Opens a sandbox with faults, uses it, and closes it while it is in use. */
  async #sandbox(): Promise<End> {
    const { control } = this.#root;
    const made = await fetch(`${control}/sandboxes`, {
      method: 'POST',
      body: JSON.stringify({ faults: [{ fault: 'rate_limit', times: 1 }] }),
    });
    const world: { url: string; control: string; keys: Record<string, string> } = JSON.parse(
      await made.text(),
    );
    const place = { url: world.url, control: world.control, key: world.keys['primary'] ?? '' };
    const chats = [this.#chat(place), this.#chat(place), this.#chat(place), this.#control(place)];
    await Promise.race(chats);
    const [, id = ''] = /\/sandboxes\/([^/]+)/.exec(place.url) ?? [];
    const end = await ended(`${control}/sandboxes/${id}`, { method: 'DELETE' });
    await Promise.all(chats);
    return end;
  }

  #control({ control }: Place): Promise<End> {
    const paths = ['', '/workspace', '/history', '/journal', '/requests', '/faults', '/sandboxes', '/none'];
    return ended(`${control}${this.#pick(paths)}`);
  }

  #any(): Asked | undefined {
    return this.#asked[this.#draw(REMEMBERED)];
  }

  #pick<T>(list: readonly T[]): T {
    const picked = list[this.#draw(list.length)];
    if (picked === undefined) throw new Error('nothing to pick from');
    return picked;
  }
}

function authorized({ key }: Place): Record<string, string> {
  return { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
}

async function ended(url: string, init: RequestInit = {}): Promise<End> {
  try {
    const response = await fetch(url, init);
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 'none';
  }
}
