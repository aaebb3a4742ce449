import { appendFileSync, readFileSync, statSync } from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { MockOptions } from '../../../mock-server/start-mock.ts';
import { openMock } from '../../../mock-server/test-support/open-mock.ts';
import { readWorld } from '../../../mock-server/world/world-file.ts';
import { serve } from '../../../suites/engine/test-support/service.ts';
import { noteLine } from '../../cli/terminal/terminal.ts';
import { Recording } from '../../proxy/recording.ts';
import { temporaryFolder } from '../support/journalled-run.ts';
import { type Proxied, proxied } from './proxied.ts';

const KEY = 'the-key-of-the-caller';
const USAGE = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };
const EVENTS = { 'content-type': 'text/event-stream' };
const CHAT = { model: 'rome-1', messages: [{ role: 'user', content: 'How is the weather in Rome?' }] };

/** A whole completion as JSON. */
function completion(choice: object = {}, usage: object = USAGE): string {
  const message = { role: 'assistant', content: 'It rains.' };
  const choices = [{ index: 0, message, finish_reason: 'stop', ...choice }];
  return JSON.stringify({ id: 'c', object: 'chat.completion', created: 1, model: 'rome-1', choices, usage });
}

interface Service {
  readonly url: string;
}

/** A service that says this to every chat. */
async function serviceThat(
  body: string | Buffer,
  headers: OutgoingHttpHeaders = {},
  status = 200,
): Promise<Service> {
  const { baseUrl } = await serve((_, response) => {
    const length = Buffer.byteLength(body);
    const usual = { 'content-type': 'application/json', 'content-length': length, connection: 'close' };
    response.writeHead(status, { ...usual, ...headers }).end(body);
  });
  return { url: baseUrl };
}

async function mockThat(options: MockOptions = {}): Promise<Service & { key: string }> {
  const mock = await openMock(options);
  return { url: mock.url, key: mock.keys['primary'] ?? '' };
}

function newFile(): string {
  return join(temporaryFolder(), 'rome.ndjson');
}

async function recorded(service: Service, file: string): Promise<Proxied> {
  return proxied(service.url, { recording: new Recording(file, noteLine) });
}

interface Said {
  readonly status: number;
  readonly text: string;
}

let asked = 0;

async function ask(url: string, more: object = {}, key = KEY): Promise<Said> {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'idempotency-key': `order-${(asked += 1)}`,
  };
  const body = JSON.stringify({ ...CHAT, ...more });
  const answer = await fetch(`${url}/chat/completions`, { method: 'POST', headers, body });
  return { status: answer.status, text: await answer.text() };
}

function said({ status, text }: Said): readonly unknown[] {
  const { choices, usage } = JSON.parse(text);
  return [status, choices[0].message.content, choices[0].finish_reason, usage];
}

/** What a mock says that serves the file alone. */
async function askAlone(file: string, more: object = {}): Promise<Said> {
  const mock = await openMock({ world: await readWorld(file) });
  return ask(mock.url, more, mock.keys['primary']);
}

const answersIn = async (file: string): Promise<number> => (await readWorld(file)).answers?.length ?? 0;

async function unkept({ recorder }: Proxied): Promise<readonly string[]> {
  const { cutShort } = await recorder.summary();
  return cutShort.filter((line) => line.includes('may have been paid for'));
}

const LARGE = { prompt_tokens: 900, completion_tokens: 2, total_tokens: 902 };

test.each<
  [what: string, body: string | Buffer, headers?: OutgoingHttpHeaders, status?: number, more?: object]
>([
  ['with plain words', completion()],
  ['with a finish reason of two words', completion({ finish_reason: 'end "turn"' })],
  ['with more tokens than were allowed', completion({}, LARGE), {}, 200, { max_tokens: 1 }],
  ['with an empty text', completion({ message: { content: '' } })],
  ['in gzip', gzipSync(completion()), { 'content-encoding': 'gzip' }],
  ['with 201', completion(), {}, 201],
])('keeps an answer %s, which a mock gives without the service', async (_, body, headers, status, more) => {
  const file = newFile();
  const proxy = await recorded(await serviceThat(body, headers, status), file);
  const [, ...passed] = said(await ask(proxy.forwarder.baseUrl, more));
  expect(await unkept(proxy)).toEqual([]);
  expect(said(await askAlone(file, more))).toEqual([200, ...passed]);
  const streamed = await askAlone(file, { ...more, stream: true });
  expect(streamed.text).toContain('data: [DONE]');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test.each([
  ['no text', completion({ message: { role: 'assistant', content: null } }), {}, {}],
  ['a usage beyond all bounds', completion({}, { ...USAGE, prompt_tokens: 5e9 }), {}, {}],
  ['a stream without an end', 'data: {"choices":[{"delta":{"content":"It"}}]}\n\n', EVENTS, {}],
  ['a request with an unknown field', completion(), {}, { user: 'a' }],
  ['a page of a gateway', '<html>', {}, { status: 502 }],
])(
  'passes on an answer with %s, and says that it is in no file',
  async (_, body, headers, { status = 200, ...more }: { status?: number; user?: string }) => {
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    onTestFinished(() => written.mockRestore());
    const proxy = await recorded(await serviceThat(body, headers, status), newFile());
    expect((await ask(proxy.forwarder.baseUrl, more)).text).toBe(body);
    expect(await unkept(proxy)).toEqual([expect.stringMatching(/: 1$/)]);
    expect(written.mock.calls.join('')).toMatch(/the answer to Idempotency-Key order-\d+ is not in/);
    expect((await proxy.recorder.summary()).outcome).not.toBe('conformant');
  },
);

test('keeps what a stream said, for the same chat as a whole', async () => {
  const [file, service] = [newFile(), await mockThat()];
  const chat = { model: 'compact-1', max_tokens: 4 };
  const proxy = await recorded(service, file);
  const { text } = await ask(proxy.forwarder.baseUrl, { ...chat, stream: true }, service.key);
  expect(await unkept(proxy)).toEqual([]);
  const [, content, finish] = said(await askAlone(file, chat));
  const pieces = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json = '']) => JSON.parse(json).choices[0]);
  expect(pieces.map((choice) => choice?.delta?.content ?? '').join('')).toBe(content);
  expect(finish).toBe('length');
});

test('goes on with a file, beside a second recorder and after a write that was left unfinished', async () => {
  const file = newFile();
  for (const text of ['It rains.', 'It snows.'])
    for (const temperature of [0, 1]) {
      const proxy = await recorded(await serviceThat(completion({ message: { content: text } })), file);
      await ask(proxy.forwarder.baseUrl, { temperature });
      expect(await unkept(proxy)).toEqual([]);
      appendFileSync(file, '\n{"answers":[{"te');
    }
  expect(await answersIn(file)).toBe(2);
  expect(said(await askAlone(file, { temperature: 1 }))[1]).toBe('It snows.');
  const other = await askAlone(file, { temperature: 0.5 });
  expect([other.status, other.text]).toEqual([404, expect.stringContaining('unanswered')]);
});

test('keeps nothing of what the service refuses, and names what it loses', async () => {
  const faults = ['rate_limit', 'gateway_failure', 'connection_reset'].map(
    (fault) => `${fault} endpoint=chat times=1`,
  );
  const [file, service] = [newFile(), await mockThat({ faults })];
  const proxy = await recorded(service, file);
  const chat = { model: 'compact-1' };
  for (const status of [429, 502, 'reset', 200])
    expect(
      await ask(proxy.forwarder.baseUrl, chat, service.key).then(
        (answer) => answer.status,
        () => 'reset',
      ),
    ).toBe(status);
  expect(await unkept(proxy)).toEqual([expect.stringMatching(/: 2$/)]);
  expect(await answersIn(file)).toBe(1);
});

test('keeps the key of the caller out of the file, and still knows the chat that had it', async () => {
  const [file, service] = [newFile(), await mockThat({ answers: ['template="You said {{user}}"'] })];
  const proxy = await recorded(service, file);
  const messages = [{ role: 'user', content: `My key is ${service.key}, is it not?` }];
  await ask(proxy.forwarder.baseUrl, { model: 'compact-1', messages }, service.key);
  expect(await unkept(proxy)).toEqual([]);
  expect(readFileSync(file, 'utf8')).toContain('You said My key is ');
  expect(readFileSync(file, 'utf8')).not.toContain(service.key);
  expect((await askAlone(file, { model: 'compact-1', messages })).status).toBe(200);
});

test.each([
  [{ answers: [] }, 2],
  [{ models: { 'rome-1': null } }, 0],
  [[], 0],
])('refuses to go on with %j, indented by %i, and says what to do', (world, indent) => {
  const file = newFile();
  appendFileSync(file, JSON.stringify(world, undefined, indent));
  expect(() => new Recording(file, noteLine)).toThrow(/ jq -c \. /);
});
