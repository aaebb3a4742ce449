import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Mock, startMock } from '../../../mock-server/start-mock.ts';
import { builtInWorld } from '../../../mock-server/world/built-in-world.ts';
import { mockOptions } from './mock-options.ts';

const KEYED = { CHAT_API_KEY: 'the-key-of-the-service' };
const MODELS = '{"object":"list","data":[{"id":"rome-1","object":"model"}]}';
const USAGE = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };
const CHAT = { model: 'rome-1', messages: [{ role: 'user', content: 'How is the weather?' }] };

/** A whole completion as JSON. */
function completion(choice: object = {}, usage: object = USAGE): string {
  const message = { role: 'assistant', content: 'It rains.' };
  const choices = [{ index: 0, message, finish_reason: 'stop', ...choice }];
  return JSON.stringify({ id: 'c', object: 'chat.completion', created: 1, model: 'rome-1', choices, usage });
}

interface Recorded {
  readonly mock: Mock;
  readonly file: string;
  /** How many chats were paid for. */
  readonly paid: () => number;
  readonly unkept: () => number;
}

/** A recording of a service that says this to every chat, with a Content-Length that is so much wrong. */
async function recorded(body: string, environment: object = {}, wrong = 0): Promise<Recorded> {
  let paid = 0;
  const service = createServer((asked, answer) => {
    const isChat = asked.method === 'POST';
    if (isChat) paid += 1;
    const text = isChat ? body : MODELS;
    const length = Buffer.byteLength(text) + (isChat ? wrong : 0);
    asked.resume().on('end', () => {
      answer.writeHead(200, {
        'content-type': 'application/json',
        'content-length': length,
        connection: 'close',
      });
      answer.end(text);
    });
  }).listen(0, '127.0.0.1');
  await once(service, 'listening');
  const folder = mkdtempSync(join(tmpdir(), 'paid-'));
  const address = service.address();
  const record = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1`;
  const file = join(folder, 'recording.json');
  const { unkept = () => -1, ...options } = await mockOptions(
    { record, recording: file },
    { ...KEYED, ...environment },
  );
  const mock = await startMock({ ...options, control: true });
  onTestFinished(async () => {
    await mock.close();
    service.close();
    rmSync(folder, { recursive: true });
  });
  return { mock, file, paid: () => paid, unkept };
}

async function ask(
  { mock }: Pick<Recorded, 'mock'>,
  more: object = {},
): Promise<{ status: number; text: string }> {
  const headers = { authorization: `Bearer ${mock.keys['primary']}`, 'content-type': 'application/json' };
  const answer = await fetch(`${mock.url}/chat/completions`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ ...CHAT, ...more }),
  });
  return { status: answer.status, text: await answer.text() };
}

function said({ status, text }: { status: number; text: string }): unknown {
  const { choices, usage } = JSON.parse(text);
  return [status, choices[0].message.content, choices[0].finish_reason, usage];
}

test('names the service before it sends it the key', async () => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => written.mockRestore());
  let before = '';
  const service = createServer((_asked, answer) => {
    before = written.mock.calls.join('');
    answer.end(MODELS);
  }).listen(0, '127.0.0.1');
  await once(service, 'listening');
  onTestFinished(() => void service.close());
  const address = service.address();
  const record = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1`;
  await mockOptions({ record, recording: join(tmpdir(), 'never-written.json') }, KEYED);
  expect(before).toContain(
    `record: asks ${record}, with the key in CHAT_API_KEY, for what is not recorded yet\n`,
  );
});

test.each([
  ['an empty finish reason', { finish_reason: '' }, USAGE, {}],
  ['a finish reason of two words', { finish_reason: 'end turn' }, USAGE, {}],
  ['a finish reason with quotes', { finish_reason: 'é "b"\\' }, USAGE, {}],
  ['more tokens of input than the mock counts', {}, { ...USAGE, prompt_tokens: 900, total_tokens: 902 }, {}],
  ['more tokens of output than were allowed', {}, USAGE, { max_tokens: 1 }],
  [
    'more tokens than the context has',
    {},
    { prompt_tokens: 1_000_000, completion_tokens: 9, total_tokens: 1_000_009 },
    {},
  ],
])('passes on and keeps an answer with %s', async (_, choice, usage, more) => {
  const recording = await recorded(completion(choice, usage));
  const expected = [200, 'It rains.', 'finish_reason' in choice ? choice.finish_reason : 'stop', usage];
  expect(said(await ask(recording, more))).toEqual(expected);
  expect((await ask(recording, { ...more, stream: true })).text).toContain(JSON.stringify(expected[2]));
  expect([recording.paid(), recording.unkept()]).toEqual([1, 0]);
  const { unkept: _unkept, ...options } = await mockOptions({ world: recording.file }, {});
  const alone = await startMock(options);
  onTestFinished(() => alone.close());
  expect(said(await ask({ mock: alone }, more))).toEqual(expected);
});

test.each([
  ['no text', completion({ message: { role: 'assistant', content: null } }), 0],
  ['a usage beyond all bounds', completion({}, { ...USAGE, prompt_tokens: 5e9 }), 0],
  ['no JSON', 'It rains.', 0],
  ['a Content-Length that is too small', completion(), -9],
])(
  'passes on an answer with %s as it came, pays for it once, and says that it is in no file',
  async (_, body, wrong) => {
    const recording = await recorded(body, {}, wrong);
    const expected = { status: 200, text: body.slice(0, wrong === 0 ? undefined : wrong) };
    expect(await ask(recording)).toEqual(expected);
    expect(await ask(recording)).toEqual(expected);
    expect([recording.paid(), recording.unkept()]).toEqual([1, 1]);
  },
);

test('keeps an answer that came whole, though its Content-Length is too large', async () => {
  const recording = await recorded(completion(), {}, 9);
  for (let n = 0; n < 2; n += 1)
    expect(said(await ask(recording))).toEqual([200, 'It rains.', 'stop', USAGE]);
  expect([recording.paid(), recording.unkept()]).toEqual([1, 0]);
});

test('answers from memory what cannot be written, and writes it as soon as it can', async () => {
  const recording = await recorded(completion());
  mkdirSync(recording.file);
  for (let n = 0; n < 2; n += 1) expect((await ask(recording)).status).toBe(200);
  expect([recording.paid(), recording.unkept()]).toEqual([1, 1]);
  rmdirSync(recording.file);
  for (const temperature of [0, 1]) await ask(recording, { temperature });
  expect([recording.paid(), recording.unkept()]).toEqual([3, 0]);
  expect(JSON.parse(readFileSync(recording.file, 'utf8')).answers).toHaveLength(3);
});

test('appends each answer to a file that is a whole world after each, for its owner alone', async () => {
  const recording = await recorded(completion());
  const texts: string[] = [];
  for (const temperature of [0, 0.5, 1]) {
    await ask(recording, { temperature });
    texts.push(readFileSync(recording.file, 'utf8'));
  }
  expect(texts.map((text) => JSON.parse(text).answers.length)).toEqual([1, 2, 3]);
  expect(statSync(recording.file).mode & 0o777).toBe(0o600);
  const last = texts.at(-1) ?? '';
  const lines: unknown[] = JSON.parse(last).answers;
  expect(last).toContain(`${lines.map((each) => `    ${JSON.stringify(each)}`).join(',\n')}\n  ]\n}\n`);
});

/** The status of a chat with this key and Host header. */
function statusOf(mock: Mock, key: string | undefined, host = '127.0.0.1'): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const headers = { host, authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  request(`${mock.url}/chat/completions`, { method: 'POST', headers }, (answer) =>
    resolve(answer.resume().statusCode),
  )
    .on('error', reject)
    .end(JSON.stringify(CHAT));
  return promise;
}

test('spends nothing for the published keys, nor for another name of its loopback address', async () => {
  const { mock, paid, file } = await recorded(completion());
  for (const { key } of builtInWorld.keys) expect(await statusOf(mock, key)).toBe(401);
  expect(await statusOf(mock, mock.keys['primary'], 'rebound.example:80')).toBe(403);
  expect([paid(), existsSync(file)]).toEqual([0, false]);
  expect(await statusOf(mock, mock.keys['primary'], 'localhost:80')).toBe(200);
});

test('draws keys anew for each recording, sandboxes included, unless one is given', async () => {
  const [one, other] = [await recorded(completion()), await recorded(completion())];
  expect(one.mock.keys).not.toEqual(other.mock.keys);
  const keysIn = ({ mock }: Recorded): unknown => mock.sandboxes.create({ id: 'a' })?.service.world.keys;
  expect(keysIn(one)).not.toEqual(keysIn(other));
  const given = await recorded(completion(), { CHAT_RECORDING_KEY: 'a-key-that-i-chose' });
  expect(await statusOf(given.mock, 'a-key-that-i-chose')).toBe(200);
  await expect(recorded(completion(), { CHAT_RECORDING_KEY: 'short' })).rejects.toThrow(
    'CHAT_RECORDING_KEY must',
  );
});
