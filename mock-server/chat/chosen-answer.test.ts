import { expect, test } from 'vitest';
import { CHAT, complete, openMock, poorWorld } from '../test-support/open-mock.ts';
import { post, talk } from '../test-support/wire.ts';
import { builtInWorld } from '../world/built-in-world.ts';

interface Said {
  readonly text: string;
  readonly finish: string;
  readonly usage: unknown;
}

async function said(answer: Promise<Response>): Promise<Said> {
  const { choices, usage } = JSON.parse(await (await answer).text());
  return { text: choices[0].message.content, finish: choices[0].finish_reason, usage };
}

/** What a stream says, put together again. */
async function streamed(answer: Promise<Response>): Promise<Said> {
  const events = (await (await answer).text())
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .map((event) => JSON.parse(event.slice(6)));
  const deltas = events.flatMap(({ choices }) => choices);
  return {
    text: deltas.map(({ delta }) => delta.content ?? '').join(''),
    finish: deltas.at(-1).finish_reason,
    usage: events.at(-1).usage,
  };
}

const usage = (input: number, output: number): object => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
});

test('says the same in a stream and in a plain answer, and reports and debits its usage', async () => {
  const answers = ['text="Grüße 🌿" usage.input=3 usage.output=7 finish=content_filter'];
  const mock = await openMock({ answers });
  const whole = { text: 'Grüße 🌿', finish: 'content_filter', usage: usage(3, 7) };
  expect(await said(complete(mock))).toEqual(whole);
  expect(await streamed(complete(mock, { ...CHAT, stream: true }))).toEqual(whole);
  expect(mock.workspace.account('main')).toMatchObject({ debited: 2 * (3 + 2 * 7), held: 0 });
});

test.each(['a', 'ä'])(
  'sends the same bytes whether a journal keeps them or not, with the header %s',
  async (value) => {
    const answers = [{ text: 'Grüße 🌿', headers: { 'x-note': value } }];
    const sent = [true, false].map(async (journal) => {
      const mock = await openMock({ answers, journal });
      return talk(mock, post(mock, JSON.stringify(CHAT), 'Connection: close'));
    });
    const [kept, unkept] = await Promise.all(sent);
    expect(unkept).toBe(kept);
    expect(unkept).toContain(`x-note: ${value}\r\n`);
  },
);

test('cuts a text at max_tokens, without splitting a character', async () => {
  const mock = await openMock({ answers: ['text="abcdéé🌿🌿" usage.output=99 finish=stop'] });
  const cut = await said(complete(mock, { ...CHAT, max_tokens: 2 }));
  expect(cut).toEqual({ text: 'abcdéé', finish: 'length', usage: usage(6, 2) });
  const atCharacter = await said(complete(mock, { ...CHAT, max_tokens: 3 }));
  expect(atCharacter).toMatchObject({ text: 'abcdéé🌿', finish: 'length' });
});

test('makes the model say so many tokens, in its own words', async () => {
  const mock = await openMock({ answers: ['tokens=300'] });
  const { usage: spent, finish } = await said(complete(mock, { ...CHAT, max_tokens: 500 }));
  expect([spent, finish]).toEqual([usage(6, 300), 'stop']);
  expect(await said(complete(mock))).toMatchObject({ usage: usage(6, 8), finish: 'length' });
});

test('keeps the words of the model where a rule chooses the rest', async () => {
  const own = await said(complete(await openMock()));
  const mock = await openMock({ answers: ['headers.x-cache=hit headers.x-tier="a b"'] });
  const answer = await complete(mock);
  expect([answer.headers.get('x-cache'), answer.headers.get('x-tier')]).toEqual(['hit', 'a b']);
  expect(await said(Promise.resolve(answer))).toEqual(own);
});

test('takes the time that a rule chooses, in place of that of the world', async () => {
  const answers = ['latency=0 contains=now', 'latency=86400000 contains=later'];
  const mock = await openMock({ answers, latency: 86_400_000 });
  const say = (content: string): object => ({ ...CHAT, messages: [{ role: 'user', content }] });
  expect((await complete(mock, say('now'))).status).toBe(200);
  const later = complete(mock, say('later'));
  await expect
    .poll(() => mock.workspace.entries().map(({ state }) => state))
    .toEqual(['succeeded', 'running']);
  mock.sandboxes.flush();
  expect((await later).status).toBe(200);
});

test('gives a repeat of an Idempotency-Key the same bytes, and takes no turn for it', async () => {
  const mock = await openMock({ answers: ['text=one text=two headers.x-cache=hit'] });
  const [first, repeat, fresh] = [
    await complete(mock, CHAT, { 'idempotency-key': 'a' }),
    await complete(mock, CHAT, { 'idempotency-key': 'a' }),
    await complete(mock, CHAT, { 'idempotency-key': 'b' }),
  ];
  expect(repeat.headers.get('x-cache')).toBe('hit');
  expect(await repeat.text()).toBe(await first.text());
  expect(await said(Promise.resolve(fresh))).toMatchObject({ text: 'two' });
});

test('takes no turn for a request that is refused', async () => {
  const mock = await openMock({ world: poorWorld(22), answers: ['text=one text=two'] });
  expect((await complete(mock, { ...CHAT, max_tokens: 9 })).status).toBe(402);
  expect(await said(complete(mock))).toMatchObject({ text: 'one' });
});

test('reserves for the chosen input, and refuses one that the context has no room for', async () => {
  const answers = ['text=a usage.input=1000000 contains=large', 'text=a usage.input=100 usage.output=8'];
  const mock = await openMock({ answers });
  const large = await complete(mock, { ...CHAT, messages: [{ role: 'user', content: 'large' }] });
  expect([large.status, await large.text()]).toEqual([400, expect.stringContaining('token_limit')]);
  await said(complete(mock));
  expect(mock.workspace.entries()).toMatchObject([{ reserved: 116, debit: 116 }]);
});

test('gives a lost answer that the workspace resolves as completed, with its own debit', async () => {
  const mock = await openMock({
    answers: ['text=one usage.output=3'],
    faults: ['connection_closed times=1'],
  });
  const headers = { 'idempotency-key': 'a' };
  await expect(complete(mock, CHAT, headers)).rejects.toThrow('fetch failed');
  const [entry] = mock.workspace.entries();
  mock.sandboxes.root.service.ledger.resolve(entry?.requestId ?? '', 'completed');
  expect(mock.workspace.account('main')).toMatchObject({ debited: 6 + 2 * 3, held: 0 });
  expect(await said(complete(mock, CHAT, headers))).toMatchObject({ text: 'one', usage: usage(6, 3) });
});

test('sends what is unchecked as it is, and debits what it reports', async () => {
  const answers = ['text="longer than two tokens" finish=tool_calls usage.output=40 unchecked=true'];
  const mock = await openMock({ answers });
  const whole = { text: 'longer than two tokens', finish: 'tool_calls', usage: usage(6, 40) };
  expect(await said(complete(mock, { ...CHAT, max_tokens: 2 }))).toEqual(whole);
  expect(mock.workspace.account('main')).toMatchObject({ debited: 86, held: 0 });
});

test('debits no more than it reserved for what is unchecked, whoever says it', async () => {
  const answers = ['finish=tool_calls unchecked=true times=1', 'tokens=30 unchecked=true'];
  const mock = await openMock({ answers });
  const own = await said(complete(mock, { ...CHAT, max_tokens: 1 }));
  expect(own).toMatchObject({ finish: 'tool_calls', usage: usage(6, 1) });
  expect(await said(complete(mock, { ...CHAT, max_tokens: 1 }))).toMatchObject({ usage: usage(6, 30) });
  expect(mock.workspace.account('main')).toMatchObject({ debited: 8 + 66, held: 0 });
});

test('refuses to send a template that came out empty, and debits nothing', async () => {
  const logged: string[] = [];
  const mock = await openMock({ answers: ['template={{system}}'], log: (line) => logged.push(line) });
  expect((await complete(mock)).status).toBe(500);
  expect(logged.join('\n')).toContain('empty');
  expect(mock.workspace.account('main')).toMatchObject({ debited: 0, held: 0 });
});

test('takes the answers of a world into its sandboxes, and others into its own world only', async () => {
  const world = { ...builtInWorld, answers: [{ text: 'of the world' }] };
  const mock = await openMock({ world, answers: ['times=1 text=own'], control: true });
  const sandbox = mock.sandboxes.create();
  const { service } = sandbox ?? mock.sandboxes.root;
  expect(service.answers.rules().map(({ rule }) => rule.words.text)).toEqual(['of the world']);
  expect((await said(complete(mock))).text).toBe('own');
  expect((await said(complete(mock))).text).toBe('of the world');
  mock.sandboxes.reset();
  expect((await said(complete(mock))).text).toBe('own');
});
