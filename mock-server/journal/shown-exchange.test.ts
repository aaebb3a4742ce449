import { expect, test } from 'vitest';
import type { Host } from '../start-mock.ts';
import { CHAT, openMock } from '../test-support/open-mock.ts';
import { talk } from '../test-support/wire.ts';
import { hiddenSecrets, type NamedKey, showExchange, type ShownExchange } from './shown-exchange.ts';

const BODY = (content: string): string => JSON.stringify({ ...CHAT, messages: [{ role: 'user', content }] });

const started = (...faults: readonly string[]): Promise<Host> => openMock({ control: true, faults });

async function send(mock: Host, body: string, key = mock.keys['primary'] ?? ''): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'x-note': key };
  const sent = fetch(`${mock.url}/chat/completions?q=${key}`, { method: 'POST', headers, body });
  await sent.then((answer) => answer.text()).catch(() => {});
}

function shown({ sandboxes: { root } }: Host): ShownExchange {
  const [record] = root.journal?.records() ?? [];
  if (record === undefined) throw new Error('nothing is journalled');
  return showExchange(record, root.service.world.keys);
}

test('shows request and answer whole, with every time, and no key', async () => {
  const mock = await started();
  const key = mock.keys['primary'] ?? '';
  await send(mock, BODY(`my key is ${key}, and é`));
  await mock.close();
  const { entry, request, response, phases } = shown(mock);
  expect(request).toMatchObject({
    url: '/v1/chat/completions?q=(a key)',
    body: {
      text: BODY('my key is (a key), and é'),
      bytes: Buffer.byteLength(BODY(`my key is ${key}, and é`)),
    },
  });
  expect(request?.headers).toContainEqual(['authorization', 'Bearer (a key: primary)']);
  expect(request?.headers).toContainEqual(['x-note', '(a key)']);
  expect(response).toMatchObject({ status: 200, body: { text: expect.stringContaining('"choices"') } });
  expect(response?.headers).toContainEqual(['x-request-id', entry.requestId]);
  expect(phases.map(({ phase }) => phase)).toEqual(entry.phases);
  expect(JSON.stringify(shown(mock))).not.toContain(key);
});

test.each([
  [
    BODY(`It is ${'cold '.repeat(99)}`),
    { prompt: expect.stringMatching(/^It is (?:cold ){50}$/), code: null },
  ],
  ['{"messages":[{"role":"user","content":"Hi"}]}', { prompt: 'Hi', code: 'missing_field' }],
  ['{"messages":"Hi"}', { prompt: null, code: 'missing_field' }],
  ['nonsense', { prompt: null, code: 'invalid_json' }],
])('shows with an entry the beginning of the prompt and the code of the error: %j', async (body, said) => {
  const mock = await started();
  await send(mock, body);
  await mock.close();
  expect(shown(mock).entry).toMatchObject(said);
});

test('hides a key in the spellings of software', async () => {
  const mock = await started();
  const key = mock.keys['primary'] ?? '';
  const spelt = [btoa(`a${key}`), key.replace('m', '%256d'), key.replace('m', '&#109;')];
  await send(mock, BODY(spelt.join()).replace('"model"', `"${key.replace('m', '\\u006d')}":1,"model"`));
  await mock.close();
  const { request } = shown(mock);
  const text =
    request?.body !== null && request?.body !== undefined && 'text' in request.body ? request.body.text : '';
  expect(text.match(/\(a key\)/g)).toHaveLength(4);
});

test('hides what its world has got since, too', () => {
  const keys: NamedKey[] = [{ name: 'primary', key: 'key-of-the-beginning' }];
  expect([...hiddenSecrets(keys, null).keys()]).toEqual(['key-of-the-beginning']);
  keys.push({ name: 'second', key: 'key-that-came-later' });
  expect([...hiddenSecrets(keys, null).keys()]).toEqual(['key-of-the-beginning', 'key-that-came-later']);
});

const SECRET = 'sk-live-0123456789';

/** A request whose Idempotency-Key and body repeat the secret. */
const asking = (target: string, ...headers: readonly string[]): string =>
  [
    `POST ${target} HTTP/1.1`,
    'Host: a',
    'Connection: close',
    `Idempotency-Key: ${SECRET}`,
    `Content-Length: ${SECRET.length}`,
    ...headers,
    '',
    SECRET,
  ].join('\r\n');

test.each([
  [
    'a key that it does not know',
    asking('/v1/models', `Authorization: Bearer ${SECRET}`, `X-Odd: ${SECRET}`),
  ],
  ['a header whose name says so', asking('/v1/models', `X-Auth-Token: ${SECRET}`)],
  ['a cookie', asking('/v1/models', `Cookie: ${SECRET}; a=b`)],
  ['a parameter', asking(`/v1/models?api_key=${SECRET}`)],
  ['bytes that are no request', `GARBAGE\r\nAuthorization: Bearer ${SECRET}\r\n\r\n`],
  ['bytes in lines', `GARBAGE\r\nAuthorization\0Bearer\r\n ${SECRET}\r\n\r\n`],
  ['a request of no version', `GET /v1/models?api_key=${SECRET} HTTP/9.9\r\nx: y\r\n\r\n`],
])('hides the secret of %s, wherever it is repeated', async (_, bytes) => {
  const mock = await started();
  await talk(mock, bytes);
  await mock.close();
  expect(JSON.stringify(shown(mock))).not.toContain(SECRET);
});

test('says of what is hidden what it was', async () => {
  const mock = await started();
  const target = '/v1/models?api_key=short&%6bey=sk-live%2d0123456789&limit=2';
  await talk(mock, asking(target, `Authorization: Bearer ${SECRET}`));
  await mock.close();
  const { request, entry } = shown(mock);
  expect(request?.headers).toContainEqual(['Authorization', 'Bearer (an unknown key)']);
  expect(request?.url).toBe('/v1/models?api_key=(a key)&%6bey=(a key)&limit=2');
  expect(entry.idempotencyKey).toBe('(a key)');
});

test('shows an answer whole that leaves in pieces', async () => {
  const mock = await started('pieces bytes=100 ms=1');
  await send(mock, BODY('Hello'));
  await mock.close();
  const { response } = shown(mock);
  expect(response?.body).toMatchObject({ text: expect.stringMatching(/\}$/) });
});

test('shows bytes that are no text in base64', async () => {
  const mock = await started();
  const headers = { authorization: 'none', 'content-type': 'application/json' };
  const body = new Uint8Array([0xff, 0x00]);
  await fetch(`${mock.url}/chat/completions`, { method: 'POST', headers, body });
  await mock.close();
  expect(shown(mock).request?.body).toEqual({ base64: '/wA=', bytes: 2 });
});
