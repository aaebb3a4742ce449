import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Mock, type MockOptions, startMock } from '../../../mock-server/start-mock.ts';
import { builtInWorld } from '../../../mock-server/world/built-in-world.ts';
import { mockOptions } from './mock-options.ts';

const KEY = builtInWorld.keys[0]?.key ?? '';
const CHAT = { model: 'compact-1', messages: [{ role: 'user', content: 'How is the weather in Rome?' }] };

interface Recorder {
  /** The service that is recorded: a mock of its own. */
  readonly service: Mock;
  readonly file: string;
  /** Runs with a mock that records, or with one that serves the file alone. */
  readonly recording: (use: (mock: Mock) => Promise<void>, more?: MockOptions) => Promise<void>;
  readonly serving: (use: (mock: Mock) => Promise<void>) => Promise<void>;
}

async function withService(options: MockOptions, use: (recorder: Recorder) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'recording-'));
  const service = await startMock({ ...options, control: true });
  const file = join(folder, 'recording.json');
  const run = async (made: MockOptions, within: (mock: Mock) => Promise<void>): Promise<void> => {
    const mock = await startMock(made);
    try {
      await within(mock);
    } finally {
      await mock.close();
    }
  };
  try {
    await use({
      service,
      file,
      recording: async (within, more) =>
        run(
          {
            ...(await mockOptions({ record: service.url, recording: file }, { CHAT_API_KEY: KEY })),
            ...more,
          },
          within,
        ),
      serving: async (within) => run(await mockOptions({ world: file }, {}), within),
    });
  } finally {
    await service.close();
    await rm(folder, { recursive: true });
  }
}

async function ask(mock: Mock, body: object = CHAT): Promise<{ status: number; text: string }> {
  const headers = { authorization: `Bearer ${mock.keys['primary']}`, 'content-type': 'application/json' };
  const response = await fetch(`${mock.url}/chat/completions`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

function said(text: string): unknown {
  const { choices, usage } = JSON.parse(text);
  return [choices[0].message.content, choices[0].finish_reason, usage];
}

const requests = ({ sandboxes }: Mock): number => sandboxes.root.journal?.came ?? 0;

test('records what a service says, asks it once, and says the same without it', async () => {
  await withService({}, async ({ service, file, recording, serving }) => {
    const direct = said((await ask(service, { ...CHAT, max_tokens: 4 })).text);
    const before = requests(service);
    await recording(async (mock) => {
      expect(said((await ask(mock, { ...CHAT, max_tokens: 4 })).text)).toEqual(direct);
      expect((await ask(mock, { ...CHAT, max_tokens: 4, stream: true })).text).toContain('data: [DONE]');
      expect(mock.ledger.invariants()).toEqual([]);
      mock.sandboxes.reset();
      expect(said((await ask(mock, { ...CHAT, max_tokens: 4 })).text)).toEqual(direct);
    });
    // The models, and one chat.
    expect(requests(service) - before).toBe(2);
    const words = JSON.parse(await readFile(file, 'utf8'));
    expect(words.answers).toMatchObject([
      {
        match: { model: 'compact-1', request: { messages: CHAT.messages, max_tokens: 4 } },
        finish: 'length',
      },
    ]);
    expect(words.models).toContainEqual(expect.objectContaining({ id: 'compact-1' }));
    await serving(async (mock) => {
      expect(said((await ask(mock, { max_tokens: 4, ...CHAT })).text)).toEqual(direct);
    });
    expect(requests(service) - before).toBe(2);
  });
});

test('goes on with a file, and asks only for what it lacks', async () => {
  await withService({}, async ({ service, file, recording }) => {
    await recording(async (mock) => void (await ask(mock)));
    const before = requests(service);
    await recording(async (mock) => {
      await ask(mock);
      expect(requests(service) - before).toBe(0);
      await Promise.all([ask(mock, { ...CHAT, temperature: 1 }), ask(mock, { ...CHAT, temperature: 1 })]);
      expect(requests(service) - before).toBe(1);
    });
    expect(JSON.parse(await readFile(file, 'utf8')).answers).toHaveLength(2);
  });
});

test('gives the expressions of rules the time of one request, before and after it asks the service', async () => {
  const slow = { match: { matches: '^(a+)+$' }, text: 'slow' };
  await withService({}, async ({ recording }) => {
    const within = async (mock: Mock): Promise<void> => {
      const messages = [{ role: 'user', content: `${'a'.repeat(64)}!` }];
      expect((await ask(mock, { ...CHAT, messages })).status).toBe(200);
      const rules = mock.sandboxes.root.service.answers.rules();
      expect(rules.map(({ over }) => over)).toEqual([true, false, false]);
    };
    await recording(within, { answers: [slow, slow] });
  });
});

test('refuses what is not recorded, and names the nearest recording', async () => {
  await withService({}, async ({ recording, serving }) => {
    await recording(async (mock) => {
      await ask(mock, { ...CHAT, messages: [{ role: 'user', content: 'Say nothing.' }] });
      await ask(mock, { ...CHAT, max_tokens: 30 });
    });
    await serving(async (mock) => {
      const { status, text } = await ask(mock, { ...CHAT, model: 'standard-1', temperature: 0.5 });
      expect([status, JSON.parse(text).error]).toMatchObject([
        404,
        {
          code: 'unanswered',
          message: expect.stringContaining(
            'The nearest recording is answer_2, "How is the weather in Rome?", which differs in model (compact-1), temperature (none), max_tokens (30). No answer is recorded',
          ),
        },
      ]);
      expect(mock.ledger.account('main')).toMatchObject({ debited: 0, held: 0 });
      expect(mock.sandboxes.root.service.answers.unused()).toHaveLength(2);
    });
  });
});

test('keeps the key out of the file, and still knows the chat that had it', async () => {
  await withService({ answers: ['template="You said {{user}}"'] }, async ({ file, recording, serving }) => {
    const secret = { ...CHAT, messages: [{ role: 'user', content: `My key is ${KEY}, is it not?` }] };
    await recording(async (mock) => void (await ask(mock, secret)));
    const text = await readFile(file, 'utf8');
    expect(text).toContain('You said My key is ');
    expect(text).not.toContain(KEY);
    await serving(async (mock) => {
      expect(await ask(mock, secret)).toMatchObject({ status: 200 });
    });
  });
});

test('leaves out a model whose ID holds the key', async () => {
  const [first] = builtInWorld.models;
  if (first === undefined) throw new Error('the world has no model');
  const world = { ...builtInWorld, models: [...builtInWorld.models, { ...first, id: `for-${KEY}` }] };
  await withService({ world }, async ({ file, recording }) => {
    await recording(async (mock) => {
      await ask(mock);
    });
    const written = await readFile(file, 'utf8');
    expect(written).toContain('"compact-1"');
    expect(written).not.toContain(KEY);
  });
});

test('passes on what the service refuses, and loses what the service loses, and records neither', async () => {
  const faults = ['rate_limit', 'gateway_failure', 'connection_reset'].map(
    (fault) => `${fault} endpoint=chat times=1`,
  );
  await withService({ faults }, async ({ file, service, recording, serving }) => {
    await recording(async (mock) => {
      expect(await ask(mock)).toMatchObject({ status: 429, text: expect.stringContaining('rate_limit') });
      expect((await ask(mock)).status).toBe(502);
      expect((await ask(mock)).status).toBe(502);
      expect(mock.ledger.account('main')).toMatchObject({ debited: 0, held: 0 });
      expect((await ask(mock)).status).toBe(200);
    });
    const keys = service.ledger.entries().map(({ idempotencyKey }) => idempotencyKey);
    expect(new Set(keys).size).toBe(keys.length);
    expect(JSON.parse(await readFile(file, 'utf8')).answers).toHaveLength(1);
    await serving(async (mock) => {
      expect((await ask(mock)).status).toBe(200);
    });
  });
});

test('marks as unchecked what the service should not have said', async () => {
  await withService({ answers: ['text="" unchecked=true'] }, async ({ file, recording }) => {
    await recording(async (mock) => {
      expect(said((await ask(mock)).text)).toMatchObject(['', 'stop', {}]);
    });
    expect(JSON.parse(await readFile(file, 'utf8')).answers).toMatchObject([{ text: '', unchecked: true }]);
  });
});

const KEYED = { CHAT_API_KEY: KEY };

test.each([
  [{ recording: 'a.json' }, KEYED, '--recording requires --record'],
  [{ record: 'http://127.0.0.1:9/v1' }, {}, '--record requires the key of the service in CHAT_API_KEY'],
  [{ record: 'nowhere' }, KEYED, '--record is not a URL'],
  [{ ca: 'a.pem' }, KEYED, '--ca requires --record'],
  [{ record: 'http://127.0.0.1:9/v1', ca: '/no/such.pem' }, KEYED, 'cannot read --ca /no/such.pem'],
  [{ record: 'http://127.0.0.1:9/v1', variant: ['crlf-events'] }, KEYED, 'cannot be combined with --variant'],
  [{ record: 'http://127.0.0.1:9/v1', defect: 'x' }, KEYED, 'cannot be combined with --defect'],
  [
    { record: 'http://127.0.0.1:9/v1', recording: '/no/such/a.json' },
    KEYED,
    'cannot write /no/such/a.json (ENOENT)',
  ],
])('refuses %j', async (options, environment, problem) => {
  await expect(mockOptions(options, environment)).rejects.toMatchObject({
    name: 'UsageError',
    message: expect.stringContaining(problem),
  });
});

test('refuses a service that does not answer, and leaves no file', async () => {
  await withService({}, async ({ service, file }) => {
    await service.close();
    const recording = mockOptions({ record: service.url, recording: file }, KEYED);
    await expect(recording).rejects.toThrow(`--record ${service.url}: connection refused`);
    await expect(readFile(file)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
