import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { complete, openMock } from '../test-support/open-mock.ts';
import { OPERATIONS } from './dispatch.ts';

const DEEP = 20_000;

const words = (text: string): string[] => text.trim().split(/\s+/);

/** JSON texts of values that are wrong somewhere, or right, or too much. */
const VALUES = [
  ...words(String.raw`
    null true 0 -1 1.5 1e308 1e999 9007199254740993 "" "a" [] {} [null] "\u0000" "\ud800" "__proto__" "constructor"
    {"__proto__":{"a":1}} {"constructor":null} "2027-01-01T00:00:00Z" "+275760-09-13T00:00:00.000Z"
    "-271821-04-20T00:00:00Z" "rate_limit" "timeout" "completed" "failed" "main" "s1" "compact-1" "after-debit" "real"
    {"kind":"real"} {"fault":"rate_limit"} [{"fault":"rate_limit","times":1}] {"text":"answer"}`),
  JSON.stringify('long '.repeat(40_000)),
  '['.repeat(DEEP) + ']'.repeat(DEEP),
  '{"a":'.repeat(DEEP) + '1' + '}'.repeat(DEEP),
];

const NAMES = words(`
  fault faults credits anyKey times after ttl probability match phase ms bytes retry_after id seed world keys models limits choices clock
  kind at to by workspaces outcome answers rules text path advance now freeze __proto__ toString`);

const TWO_LINES = 'rate_limit times=-1\nrate_limit';
const NO_JSON = ['{', '"', '\0', '\ufeff{}', 'timeout mss=3', TWO_LINES, '{"a":1}{"b":2}'];

const { value: json } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(...VALUES),
    fc.array(tie('value'), { maxLength: 3 }).map((list) => `[${list.join()}]`),
    fc
      .array(fc.tuple(fc.constantFrom(...NAMES), tie('value')), { maxLength: 3 })
      .map((members) => `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`),
  ),
}));

const place = fc.constantFrom(
  ...words(
    's1 s1 s2 rule_1 answer_1 order-1 main __proto__ constructor .. %2e%2e %00 % %ff %F0%9F%98%80 %2F 0 -1',
  ),
  '',
  ' ',
  'a'.repeat(3000),
);

/** Requests with right and wrong arguments. */
const misuse = fc.record({
  operation: fc.constantFrom(...OPERATIONS),
  otherMethod: fc.option(fc.constantFrom('PATCH', 'PUT', 'DELETE', 'POST'), { freq: 12 }),
  sandbox: fc.option(place, { freq: 1 }),
  named: place,
  query: fc.constantFrom(
    '',
    `?idempotencyKey=${'k'.repeat(3000)}`,
    ...words(
      '?state=running ?until=1&timeout=1 ?until=-1 ?until=x ?timeout=NaN ?a=1&a=2 ?__proto__=1 ?after=1e999',
    ),
  ),
  body: fc.option(fc.oneof({ arbitrary: json, weight: 9 }, fc.constantFrom(...NO_JSON)), { freq: 3 }),
});

test('answers any misuse with an error that says what is wrong', async () => {
  const failures: string[] = [];
  const mock = await openMock({ control: true, log: (line) => failures.push(line) });
  const statuses = new Set<number>();
  const samples = fc.sample(misuse, { seed: 3, numRuns: 300 });
  for (const { operation, otherMethod, sandbox, named, query, body } of samples) {
    const method = otherMethod ?? operation.method;
    const inside = sandbox === null ? '' : `/sandboxes/${sandbox}`;
    const path = `${inside}${operation.path.replace(/\{\w+\}/, () => named)}${query}`;
    const response = await fetch(`${mock.control}${path}`, { method, body: method === 'GET' ? null : body });
    statuses.add(response.status);
    const sent = [method, path.slice(0, 200), body?.slice(0, 200), response.status];
    expect(sent).toSatisfy(() => response.status < 500);
    // The stream of events goes on.
    await (path.includes('/events') ? response.body?.cancel() : response.arrayBuffer());
  }
  for (const status of [200, 400, 404, 405]) expect(statuses).toContain(status);
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
