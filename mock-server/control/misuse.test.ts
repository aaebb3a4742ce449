import { expect, test } from 'vitest';
import { createDraw } from '../chat/generate.ts';
import { complete, openMock } from '../test-support/open-mock.ts';
import { OPERATIONS } from './dispatch.ts';

const DEEP = 20_000;
const LONG = 'long '.repeat(40_000);

const words = (text: string): string[] => text.trim().split(/\s+/);

/** JSON texts of values that are wrong somewhere, or right, or too much. */
const VALUES = [
  ...words(String.raw`
    null true 0 -1 1.5 1e308 1e999 9007199254740993 "" "a" [] {} [null] "\u0000" "\ud800" "__proto__" "constructor"
    {"__proto__":{"a":1}} {"constructor":null} "2027-01-01T00:00:00Z" "+275760-09-13T00:00:00.000Z"
    "-271821-04-20T00:00:00Z" "rate_limit" "timeout" "completed" "failed" "main" "s1" "compact-1" "after-debit" "real"
    {"kind":"real"} {"fault":"rate_limit"} [{"fault":"rate_limit","times":1}] {"text":"answer"}`),
  JSON.stringify(LONG),
  '['.repeat(DEEP) + ']'.repeat(DEEP),
  '{"a":'.repeat(DEEP) + '1' + '}'.repeat(DEEP),
];

const NAMES = words(`
  fault faults credits anyKey times after ttl probability match phase ms bytes retry_after id seed world keys models limits choices clock
  kind at to by workspaces outcome answers rules text path advance now freeze __proto__ toString`);

const PLACES = words('s1 s2 rule_1 answer_1 order-1 main __proto__ constructor .. %2e%2e');
const ODD_PLACES = ['', ' ', 'a'.repeat(3000), ...words('%00 % %ff %F0%9F%98%80 %2F 0 -1')];

const QUERIES = ['', '', ...words('? ?state=running ?until=1&timeout=1 ?until=-1 ?until=x ?timeout=NaN')];
const ODD_QUERIES = [
  `?idempotencyKey=${'k'.repeat(3000)}`,
  ...words('?a=1&a=2 ?__proto__=1 ?after=1e999 ?worlds=all'),
];

const NO_JSON = [
  '{',
  '"',
  '\0',
  '\ufeff{}',
  'timeout mss=3',
  'rate_limit times=-1\nrate_limit',
  '{"a":1}{"b":2}',
];

/** Requests with right and wrong arguments, in an order that the seed decides. */
class Misuse {
  readonly #draw: (n: number) => number;

  constructor(seed: number) {
    this.#draw = createDraw(seed);
  }

  next(): readonly [string, string, string | Buffer | null] {
    const operation = this.#pick(OPERATIONS);
    const inside = this.#draw(4) === 0 ? `/sandboxes/${this.#place()}` : '';
    const path = operation.path.replace(/\{\w+\}/, () => this.#place());
    const method = this.#draw(12) === 0 ? this.#pick(['PATCH', 'PUT', 'DELETE', 'POST']) : operation.method;
    const query = this.#pick(this.#draw(3) === 0 ? ODD_QUERIES : QUERIES);
    const body = method === 'GET' || this.#draw(6) === 0 ? null : this.#body();
    return [method, `${inside}${path}${query}`, body];
  }

  #place(): string {
    return this.#pick(this.#draw(3) === 0 ? ODD_PLACES : PLACES);
  }

  #body(): string | Buffer {
    const kind = this.#draw(12);
    if (kind === 0) return this.#pick(NO_JSON);
    if (kind === 1) return Buffer.from([0xff, 0xfe, 0x7b]);
    return this.#value(3);
  }

  #value(depth: number): string {
    if (depth === 0 || this.#draw(4) === 0) return this.#pick(VALUES);
    const parts = Array.from({ length: this.#draw(4) }, () => this.#value(depth - 1));
    if (this.#draw(3) === 0) return `[${parts.join()}]`;
    return `{${parts.map((part) => `${JSON.stringify(this.#pick(NAMES))}:${part}`).join()}}`;
  }

  #pick<T>(list: readonly T[]): T {
    const picked = list[this.#draw(list.length)];
    if (picked === undefined) throw new Error('nothing to pick from');
    return picked;
  }
}

test.each([2, 4])('answers any misuse with an error that says what is wrong: seed %i', async (seed) => {
  const failures: string[] = [];
  const mock = await openMock({ control: true, log: (line) => failures.push(line) });
  const misuse = new Misuse(seed);
  const statuses = new Set<number>();
  for (let nth = 0; nth < 300; nth += 1) {
    const [method, place, body] = misuse.next();
    const response = await fetch(`${mock.control}${place}`, { method, body });
    statuses.add(response.status);
    const sent = [method, place.slice(0, 200), String(body).slice(0, 200), response.status];
    expect(sent).toSatisfy(() => response.status < 500);
    // The stream of events goes on.
    await (place.includes('/events') ? response.body?.cancel() : response.arrayBuffer());
  }
  for (const status of [200, 201, 400, 404, 405]) expect(statuses).toContain(status);
  expect(failures).toEqual([]);
  await fetch(`${mock.control}/reset`, { method: 'POST' });
  expect((await complete(mock)).status).toBe(200);
});

test.each([
  ['brackets', '['.repeat(400_000)],
  ['objects', '{"a":'.repeat(80_000)],
  ['whole and deep', `{"world":${'['.repeat(200_000)}${']'.repeat(200_000)}}`],
  ['beyond its limit', ' '.repeat(5_000_000)],
  ['many faults', `[${Array.from({ length: 10_000 }, () => '{"fault":"none"}').join()}]`],
  ['many names', `{${Array.from({ length: 20_000 }, (_, n) => `"n${n}":1`).join()}}`],
])('refuses a huge body: %s', async (_name, body) => {
  const mock = await openMock({ control: true });
  for (const path of ['/faults', '/sandboxes', '/clock']) {
    const response = await fetch(`${mock.control}${path}`, { method: 'POST', body });
    expect([400, 405, 413]).toContain(response.status);
    const { error }: { error?: { message?: string } } = JSON.parse(await response.text());
    expect(error?.message?.length).toBeLessThan(1000);
  }
});
