import { expect, test } from 'vitest';
import { CHAT, complete, get, openMock } from '../test-support/open-mock.ts';
import { differences } from './differences.ts';
import { checkFilter, type RequestFilter } from './sent-requests.ts';

const SAID = { ...CHAT, messages: [{ role: 'user', content: 'It rains.' }] };

async function served() {
  const mock = await openMock({ faults: ['service_unavailable endpoint=vision'] });
  await get(mock, 'models?limit=2&limit=3');
  await complete(mock, SAID, { 'idempotency-key': 'order-1', 'x-note': 'a' });
  await complete(mock, '{"model":', { 'content-type': 'application/json' });
  await get(mock, 'vision-capabilities', 'second');
  return mock;
}

test('returns what was sent, and what became of it', async () => {
  const mock = await served();
  const [models, chat, broken, vision] = mock.requests();
  expect(models).toMatchObject({ n: 1, path: '/v1/models', query: { limit: '3' }, body: null, text: '' });
  expect(chat).toMatchObject({ method: 'POST', body: SAID, prompt: 'It rains.', idempotencyKey: 'order-1' });
  expect(chat?.debit).toBe(mock.workspace.account('main').debited);
  expect(broken).toMatchObject({ body: null, text: '{"model":', prompt: null, status: 400, debit: null });
  expect(vision).toMatchObject({ key: null, status: 503, fault: 'service_unavailable', rule: 'rule_1' });
  for (const name of Object.keys(chat ?? {})) checkFilter({ [name]: 1 }, 'test');
});

test.each<[RequestFilter, readonly number[]]>([
  [{}, [1, 2, 3, 4]],
  [{ endpoint: 'chat' }, [2, 3]],
  [{ endpoint: 'chat', body: {} }, [2]],
  [{ body: { max_tokens: CHAT.max_tokens } }, [2]],
  [{ body: { messages: [{ content: /rains/ }] } }, [2]],
  [{ body: { messages: [] } }, []],
  [{ body: { model: expect.stringContaining('compact') } }, [2]],
  [{ prompt: /^it/i }, [2]],
  [{ body: { temperature: undefined }, status: 200 }, [1, 2]],
  [{ headers: { 'x-note': undefined } }, [1, 3, 4]],
  [{ idempotencyKey: null }, [1, 3, 4]],
  [{ fault: 'service_unavailable' }, [4]],
])('finds for %j the requests %j', async (filter, found) => {
  const mock = await served();
  expect(mock.requests(filter).map(({ n }) => n)).toEqual(found);
});

test('refuses a field that no request has, with the one that is meant', async () => {
  const mock = await openMock();
  const misspelt: object = { satus: 200 };
  expect(() => mock.requests(misspelt)).toThrow(
    'requests: satus: no request has this field (did you mean status?)',
  );
});

test.each<[unknown, unknown, readonly string[]]>([
  [{ a: { b: 1 } }, { a: { b: 2 }, c: 3 }, ['a.b is 2, not 1']],
  [{ a: { b: 1, c: 2 } }, { a: null }, ['a.b is absent, not 1', 'a.c is absent, not 2']],
  [{ a: [1, { b: 2 }] }, { a: [1, { b: 3, c: 4 }] }, ['a.1.b is 3, not 2']],
  [{ a: [1] }, { a: [1, 2] }, ['a is [1,2], not a list of 1']],
  [{ a: /x/g }, { a: 'y' }, ['a is "y", not "/x/g"']],
  [{ a: expect.any(Number) }, { a: 'y' }, ['a is "y", not "Any<Number>"']],
  [{ a: 'z'.repeat(99) }, { a: 1n }, [`a is "1n", not "${'z'.repeat(79)}…`]],
  [{ toString: 1 }, {}, ['toString is absent, not 1']],
])('tells where a value is not as its part %j', (part, whole, told) => {
  expect([...differences(part, whole)]).toEqual(told);
});
