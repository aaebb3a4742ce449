import * as fc from 'fast-check';
import OpenAI, { NotFoundError } from 'tested-client';
import { expect, test } from 'vitest';
import { type Mock, startMock } from './start-mock.ts';
import { withMock } from './test-support/with-mock.ts';
import { builtInWorld } from './world/built-in-world.ts';

function send(
  mock: Mock,
  path: string,
  init: Pick<RequestInit, 'method' | 'body'> = {},
  key = 'primary',
): Promise<Response> {
  const headers = { authorization: `Bearer ${mock.keys[key]}`, 'content-type': 'application/json' };
  return fetch(`${mock.url}${path}`, { ...init, headers });
}

function idsOf(seed: number): Promise<(string | null)[]> {
  return withMock({ seed }, async (mock) => {
    const paths = ['/models', '/models', '/none', '/none', '/chat/completions', '/vision-capabilities'];
    const responses = await Promise.all(paths.map((path) => send(mock, path)));
    return responses.map(({ headers }) => headers.get('x-request-id'));
  });
}

function client(mock: Mock): OpenAI {
  return new OpenAI({
    baseURL: mock.url,
    apiKey: mock.keys['primary'] ?? '',
    timeout: 120_000,
    maxRetries: 0,
  });
}

test('serves the tested client: models, a completion, a stream', async () => {
  await withMock({}, async (mock) => {
    const models = (await client(mock).models.list()).data.map(({ id }) => id);
    expect(models).toContain('compact-1');
    const chat = { model: 'compact-1', messages: [{ role: 'user' as const, content: 'Hello' }] };
    const completion = await client(mock).chat.completions.create(chat);
    expect(completion.choices[0]?.message.content).not.toBe('');
    expect(completion.choices[0]?.finish_reason).toBe('stop');
    expect(completion.usage?.prompt_tokens).toBe(6);
    const stream = await client(mock).chat.completions.create({ ...chat, stream: true, max_tokens: 3 });
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    const text = chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('');
    expect(Math.ceil(Buffer.byteLength(text) / 4)).toBe(chunks.at(-1)?.usage?.completion_tokens);
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('length');
  });
});

test('gives the tested client a typed error with its code and its request ID', async () => {
  await withMock({}, async (mock) => {
    const refused = client(mock).chat.completions.create({
      model: 'none',
      messages: [{ role: 'user', content: 'a' }],
    });
    await expect(refused).rejects.toThrow(NotFoundError);
    await expect(refused).rejects.toMatchObject({
      code: 'unknown_model',
      requestID: expect.stringMatching(/^req_[0-9a-f]{24}$/),
    });
  });
});

test('takes an image for the model that has vision', async () => {
  await withMock({}, async (mock) => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } } as const;
    const completion = await client(mock).chat.completions.create({
      model: 'vista-1',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'What is it?' }, image] }],
    });
    expect(completion.usage?.prompt_tokens).toBe(4 + 3 + 256);
  });
});

test('gives every key its own models, and asks every endpoint for a key with the scope', async () => {
  await withMock({}, async (mock) => {
    for (const path of ['/models', '/vision-capabilities']) {
      const bodies = await Promise.all(
        ['primary', 'second'].map(async (key) => (await send(mock, path, {}, key)).text()),
      );
      expect(new Set(bodies).size).toBe(2);
      expect((await send(mock, path, {}, 'unscoped')).status).toBe(403);
      expect((await send(mock, path, {}, 'nobody')).status).toBe(401);
    }
    expect((await send(mock, '/chat/completions', { method: 'POST', body: '{' }, 'unscoped')).status).toBe(
      403,
    );
  });
});

test('gives the answers of one world and seed whatever the order and the concurrency', async () => {
  const body = fc.record({
    model: fc.constantFrom('compact-1', 'standard-1', 'none'),
    messages: fc.constant([{ role: 'user', content: 'Hello' }]),
    max_tokens: fc.integer({ min: 0, max: 40 }),
    stream: fc.boolean(),
  });
  const request = fc.record({ path: fc.constantFrom('/chat/completions', '/models'), body });
  await fc.assert(
    fc.asyncProperty(fc.array(request, { maxLength: 25 }), async (requests) => {
      const post = async (mock: Mock, { path, body: sent }: (typeof requests)[number]): Promise<string> => {
        const response = await send(mock, path, {
          method: 'POST',
          body: JSON.stringify(sent),
        });
        return JSON.stringify([path, sent, response.status, [...response.headers], await response.text()]);
      };
      const concurrent = await withMock({ seed: 5 }, (mock) =>
        Promise.all(requests.toReversed().map((one) => post(mock, one))),
      );
      const inTurn = await withMock({ seed: 5 }, async (mock) => {
        const answers: string[] = [];
        for (const one of requests) answers.push(await post(mock, one));
        return answers;
      });
      expect(concurrent.toSorted()).toEqual(inTurn.toSorted());
    }),
    { numRuns: 8 },
  );
});

test('never gives two answers one request ID, and other IDs for another seed', async () => {
  const ids = [...(await idsOf(1)), ...(await idsOf(2))];
  expect(ids).not.toContain(null);
  expect(new Set(ids).size).toBe(ids.length);
});

test('takes its time, the model’s and what was added', async () => {
  await withMock({ latency: 20, latencyPerToken: 1 }, async (mock) => {
    const completion = await client(mock).chat.completions.create({
      model: 'steady-1',
      messages: [{ role: 'user', content: 'a' }],
      max_tokens: 4,
    });
    expect(completion.usage?.completion_tokens).toBeLessThanOrEqual(4);
    expect(mock.ledger.invariants()).toEqual([]);
  });
});

test('sends the headers of a world that is deprecated', async () => {
  const versioning = { deprecation: '@1767225600', sunset: 'Fri, 01 Jan 2027 00:00:00 GMT' };
  const world = { ...builtInWorld, choices: { ...builtInWorld.choices, versioning } };
  await withMock({ world }, async (mock) => {
    expect(Object.fromEntries((await send(mock, '/models')).headers)).toMatchObject(versioning);
  });
});

test('logs each answer where that was asked for, and no key', async () => {
  const lines: string[] = [];
  await withMock({ logAnswers: true, log: (line) => lines.push(line) }, async (mock) => {
    const response = await send(mock, `/models?key=${mock.keys['primary']}`);
    expect(lines).toEqual([`${response.headers.get('x-request-id')} GET 200`]);
  });
});

test('lets a request in flight end before it closes', async () => {
  const mock = await startMock({ latency: 80 });
  const completion = client(mock).chat.completions.create({
    model: 'compact-1',
    messages: [{ role: 'user', content: 'a' }],
  });
  await expect.poll(() => mock.ledger.entries().length).toBe(1);
  const closed = mock.close();
  expect((await completion).choices).toHaveLength(1);
  await closed;
  await expect(fetch(mock.url)).rejects.toThrow('fetch failed');
  await mock.close();
});

test('ends what is in flight once its time to drain is over', async () => {
  const limits = { ...builtInWorld.limits, drainMs: 30 };
  const mock = await startMock({ world: { ...builtInWorld, limits }, latency: 60_000 });
  const completion = send(mock, '/chat/completions', {
    method: 'POST',
    body: '{"model":"compact-1","messages":[{"role":"user","content":"a"}]}',
  });
  const outcome = completion.then(
    ({ status }) => status,
    () => 'cut',
  );
  await expect.poll(() => mock.ledger.entries().length).toBe(1);
  await mock.close();
  expect(await outcome).toBe(200);
  expect(mock.ledger.entries()).toMatchObject([{ state: 'succeeded' }]);
});

test('refuses to start in a world that contradicts itself, or on a port that is taken', async () => {
  await expect(startMock({ world: { ...builtInWorld, models: [] } })).rejects.toThrow('/keys/0/models/0');
  await withMock({}, async ({ port }) => {
    await expect(startMock({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});

test('shares nothing with another mock in the same process', async () => {
  await withMock({}, (one) =>
    withMock({}, async (other) => {
      await client(one).chat.completions.create({
        model: 'compact-1',
        messages: [{ role: 'user', content: 'a' }],
      });
      expect([one.ledger.entries().length, other.ledger.entries().length]).toEqual([1, 0]);
    }),
  );
});
