import OpenAI from 'tested-client';
import { expect, test } from 'vitest';
import { type MockOptions } from '../../../mock-server/start-mock.ts';
import { openMock } from '../../../mock-server/test-support/open-mock.ts';
import type { Summary } from '../../../suites/engine/model/summary.ts';
import { type Proxied, proxied } from './proxied.ts';

type Connect = (more?: object) => OpenAI;

interface Played extends Proxied {
  readonly connect: Connect;
  readonly key: string;
}

/** A proxy before a mock. */
async function played(options: MockOptions): Promise<Played> {
  const mock = await openMock(options);
  const proxy = await proxied(mock.url);
  const key = mock.keys['primary'] ?? '';
  const connect = (more?: object): OpenAI =>
    new OpenAI({ baseURL: proxy.forwarder.baseUrl, apiKey: key, maxRetries: 0, ...more });
  return { ...proxy, connect, key };
}

let asked = 0;

async function ask(client: OpenAI, more: object = {}, key = `key-${(asked += 1)}`): Promise<unknown> {
  const chat = {
    model: 'compact-1',
    messages: [{ role: 'user' as const, content: `Name river ${asked}.` }],
    max_tokens: 16,
    ...more,
  };
  return client.chat.completions.create(chat, { headers: { 'Idempotency-Key': key } });
}

async function askForStream(client: OpenAI, max_tokens = 16): Promise<void> {
  const stream = await ask(client, { max_tokens, stream: true });
  for await (const _ of stream as AsyncIterable<unknown>);
}

function blamed({ checks }: Summary): readonly string[] {
  return checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
}

const ANOTHER = { messages: [{ role: 'user', content: 'Name a lake.' }] };
const LOST = ['gateway_failure endpoint=chat phase=after-debit times=1'];
const refused = (): void => {};

interface Traffic {
  readonly title: string;
  readonly options: MockOptions;
  readonly use: (connect: Connect) => Promise<unknown>;
  readonly blamed: readonly string[];
}

const TRAFFIC: readonly Traffic[] = [
  {
    title: 'a service that serves an unknown field, and the caller that sent it',
    options: { defect: 'unknown-fields-stripped' },
    use: (connect) => ask(connect(), { top_p: 0.5 }),
    blamed: ['unknown-field-not-served', 'five-fields-only'],
  },
  {
    title: 'a service whose streams trickle',
    options: { defect: 'stream-trickles' },
    use: async (connect) => {
      await ask(connect());
      for (let i = 0; i < 3; i += 1) await askForStream(connect(), 512);
    },
    blamed: ['stream-is-buffered'],
  },
  {
    title: 'a client that sends a lost request again by itself',
    options: { faults: LOST },
    use: (connect) => ask(connect({ maxRetries: 2 })),
    blamed: ['not-sent-again-unchecked', 'no-automatic-retry'],
  },
  {
    title: 'no caller that may have looked a lost request up',
    options: { faults: LOST },
    use: async (connect) => {
      await ask(connect()).catch(refused);
      await ask(connect(), ANOTHER);
    },
    blamed: [],
  },
];

test.each(TRAFFIC)('blames $title', async ({ options, use, blamed: expected }) => {
  const { connect, key, recorder } = await played(options);
  await connect().models.list();
  await use(connect);
  const summary = await recorder.summary();
  expect(blamed(summary)).toEqual(expected);
  expect(JSON.stringify(summary)).not.toContain(key);
});

const RESENT = { messages: [{ role: 'user', content: 'Name a sea.' }] };

test.each([
  ['nobody where lookups do not pass', false, false, []],
  ['nobody who looked first', true, true, []],
  ['who did not look, where lookups pass', true, false, ['not-sent-again-unchecked', 'no-automatic-retry']],
])('blames %s', async (_whom, shows, looks, expected) => {
  const mock = await openMock({ faults: LOST, control: true });
  const { forwarder, recorder } = await proxied(mock.url, shows ? { controlUrl: mock.control } : {});
  const client = new OpenAI({ baseURL: forwarder.baseUrl, apiKey: mock.keys['primary'], maxRetries: 0 });
  await ask(client, RESENT, 'lost').catch(refused);
  const { pathname } = new URL(mock.control ?? '');
  const control = new URL(`${pathname}/requests?idempotencyKey=lost`, forwarder.baseUrl);
  if (looks) await fetch(control);
  await ask(client, RESENT);
  const summary = await recorder.summary();
  expect(blamed(summary)).toEqual(expected);
  expect(summary.checks.find(({ id }) => id === 'not-sent-again-unchecked')?.reason ?? '').toMatch(
    shows ? /^(?!.*--control-url)/ : /--control-url/,
  );
});

test('blames nothing in a faithful pair, and says what passing by cannot show', async () => {
  const { connect, recorder } = await played({});
  const client = connect();
  await client.models.list();
  for (let i = 0; i < 4; i += 1) await ask(client);
  await askForStream(client);
  await expect(ask(client, { max_tokens: 1_000_000 })).rejects.toThrow(/^4\d\d /);
  const summary = await recorder.summary();
  const { outcome, clauses } = summary;
  expect([outcome, blamed(summary)]).toEqual(['conformant', []]);
  expect(clauses.find(({ id }) => id === 'IDEM-3')?.reason).toContain('observed traffic cannot show it');
  expect(clauses.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id)).toEqual(
    expect.arrayContaining(['MOD-1', 'RES-1', 'STR-1', 'IDEM-1', 'CALL-4']),
  );
});

test('leaves open why a client left before the time of the tested configuration', async () => {
  const { connect, recorder, ended } = await played({ faults: ['timeout endpoint=chat times=1'] });
  await connect().models.list();
  await expect(ask(connect({ timeout: 400 }))).rejects.toThrow('timed out');
  await ended(2);
  const summary = await recorder.summary();
  expect(blamed(summary)).toEqual([]);
  const waiting = summary.checks.find(({ id }) => id === 'waits-120-seconds');
  expect(waiting).toMatchObject({ verdict: 'not-exercised', reason: 'no answer was held' });
  expect(summary.uncertain).toHaveLength(1);
});
