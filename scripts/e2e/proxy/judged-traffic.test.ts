import OpenAI, { BadRequestError } from 'tested-client';
import { expect, onTestFinished, test } from 'vitest';
import { type MockOptions, startMock } from '../../../mock-server/start-mock.ts';
import type { Summary } from '../../../suites/kit/model/summary.ts';
import { proxied } from './proxied.ts';

/** The bytes of one answer, and what the client made of it. */
interface Got {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Headers of the connection, which each side has of its own. */
const OWN = new Set(['connection', 'keep-alive', 'transfer-encoding']);

/** Keeps the bytes of each answer that a client reads. */
function keeping(all: Promise<Got>[]): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const headers = Object.fromEntries([...response.headers].filter(([name]) => !OWN.has(name)));
    const copy = response.clone();
    all.push(copy.text().then((body) => ({ status: copy.status, headers, body })));
    return response;
  };
}

interface Client {
  readonly client: OpenAI;
  readonly all: Promise<Got>[];
}

function clientOf(baseURL: string, apiKey: string, more: object = {}): Client {
  const all: Promise<Got>[] = [];
  return { client: new OpenAI({ baseURL, apiKey, maxRetries: 0, fetch: keeping(all), ...more }), all };
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

async function askForStream(client: OpenAI, max_tokens = 16): Promise<string> {
  const stream = await client.chat.completions.create(
    {
      model: 'compact-1',
      messages: [{ role: 'user', content: 'Name a stream.' }],
      max_tokens,
      stream: true,
    },
    { headers: { 'Idempotency-Key': `key-${(asked += 1)}` } },
  );
  let text = '';
  for await (const { choices } of stream) text += choices[0]?.delta.content ?? '';
  return text;
}

/** What a caller does with a mock through a proxy, judged. */
async function judged(
  options: MockOptions,
  use: (client: OpenAI, connect: (more?: object) => OpenAI) => Promise<unknown>,
): Promise<Summary> {
  const mock = await startMock(options);
  onTestFinished(() => mock.close());
  const { forwarder, observer, settled } = await proxied(mock.url);
  const key = Object.values(mock.keys)[0] ?? '';
  const connect = (more?: object): OpenAI => clientOf(forwarder.baseUrl, key, more).client;
  await use(connect(), connect);
  await settled();
  const summary = await observer.summary();
  expect(JSON.stringify(summary)).not.toContain(key);
  return summary;
}

function blamed({ checks }: Summary): readonly string[] {
  return checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
}

test('gives the openai client the same bytes as the service itself, buffered, streamed and refused', async () => {
  const results = await Promise.all(
    [false, true].map(async (isProxied) => {
      asked = 0;
      const mock = await startMock({ seed: 11 });
      onTestFinished(() => mock.close());
      const url = isProxied ? (await proxied(mock.url)).forwarder.baseUrl : mock.url;
      return { url, key: Object.values(mock.keys)[0] ?? '' };
    }),
  );
  const got: (readonly Got[])[] = [];
  for (const { url, key } of results) {
    asked = 0;
    const { client, all } = clientOf(url, key);
    await client.models.list();
    await ask(client);
    await askForStream(client);
    await expect(ask(client, { tools: [] })).rejects.toThrow(BadRequestError);
    got.push(await Promise.all(all));
  }
  expect(got[0]).toHaveLength(4);
  expect(got[1]).toEqual(got[0]);
});

test('blames nothing in a faithful pair, and says what passing by cannot show', async () => {
  const summary = await judged({}, async (client) => {
    await client.models.list();
    for (let i = 0; i < 4; i += 1) await ask(client);
    await askForStream(client);
    await expect(ask(client, { max_tokens: 1_000_000 })).rejects.toThrow(/^4\d\d /);
  });
  expect(blamed(summary)).toEqual([]);
  expect(summary.outcome).toBe('conformant');
  const clause = (id: string): string | undefined => summary.clauses.find((each) => each.id === id)?.reason;
  expect(clause('IDEM-3')).toContain('nothing that passes by shows it');
  expect(summary.clauses.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id)).toEqual(
    expect.arrayContaining(['MOD-1', 'RES-1', 'STR-1', 'IDEM-1', 'CALL-4']),
  );
});

test('blames a service that serves an unknown field, and the caller that sent it', async () => {
  const summary = await judged({ defect: 'unknown-fields-stripped' }, async (client) => {
    await client.models.list();
    await ask(client, { top_p: 0.5 });
  });
  expect(blamed(summary)).toEqual(['unknown-field-not-served', 'five-fields-only']);
});

test('blames a service whose answers break a clause, and not the caller', async () => {
  const summary = await judged({ defect: 'usage-absent' }, async (client) => {
    await client.models.list();
    await ask(client);
  });
  expect(blamed(summary)).toEqual(['every-response-reports-usage']);
});

test.each([
  ['a service whose streams trickle', { defect: 'stream-trickles' }, ['stream-is-buffered']],
  ['no service that streams when the model is done', { latency: 300 }, []],
] as const)('blames %s', async (_, options, expected) => {
  const summary = await judged(options, async (client) => {
    await client.models.list();
    await ask(client);
    for (let i = 0; i < 3; i += 1) await askForStream(client, 512);
  });
  expect(blamed(summary)).toEqual(expected);
});

test('blames a caller that uses a key twice, and not the service', async () => {
  const summary = await judged({}, async (client) => {
    await client.models.list();
    await ask(client, {}, 'the-same');
    await ask(client, { messages: [{ role: 'user', content: 'Name a lake.' }] }, 'the-same').catch(() => {});
  });
  expect(blamed(summary)).toEqual(['fresh-key-per-request']);
});

test('blames a client that sends a lost request again by itself', async () => {
  const faults = ['gateway_failure endpoint=chat phase=after-debit times=1'];
  const summary = await judged({ faults }, async (client, connect) => {
    await client.models.list();
    await ask(connect({ maxRetries: 2 }));
  });
  expect(blamed(summary)).toEqual(['not-sent-again-unchecked', 'no-automatic-retry']);
});

test('leaves open why a client left before the time of the tested configuration', async () => {
  const summary = await judged({ faults: ['timeout endpoint=chat times=1'] }, async (client, connect) => {
    await client.models.list();
    await expect(ask(connect({ timeout: 400 }))).rejects.toThrow('timed out');
  });
  expect(blamed(summary)).toEqual([]);
  const waiting = summary.checks.find(({ id }) => id === 'waits-120-seconds');
  expect(waiting).toMatchObject({ verdict: 'not-exercised', reason: 'no answer was held' });
  expect(summary.uncertain).toHaveLength(1);
});

test('does not blame a caller that may have looked a lost request up', async () => {
  const faults = ['gateway_failure endpoint=chat phase=after-debit times=1'];
  const summary = await judged({ faults }, async (client) => {
    await client.models.list();
    await expect(ask(client)).rejects.toThrow(/^50\d /);
    await ask(client, { messages: [{ role: 'user', content: 'Name a lake.' }] });
  });
  expect(blamed(summary)).toEqual([]);
});
