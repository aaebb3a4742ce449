import { expect, onTestFinished, test } from 'vitest';
import { type DefectName, defectNames } from './defects.ts';
import { type Mock, type MockOptions, startMock } from '../start-mock.ts';
import { BREACHES } from './breaches.ts';

async function start(options: MockOptions): Promise<Mock> {
  const mock = await startMock(options);
  onTestFinished(() => mock.close());
  return mock;
}

async function ask(mock: Mock, fields: object = {}, url = mock.url): Promise<Response> {
  const chat = { model: 'compact-1', messages: [{ role: 'user', content: 'Hi.' }], max_tokens: 8 };
  return fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${mock.keys['primary']}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...chat, ...fields }),
  });
}

async function list(mock: Mock): Promise<number> {
  const headers = { authorization: `Bearer ${mock.keys['primary']}` };
  return (await fetch(`${mock.url}/models`, { headers })).status;
}

test.each(defectNames())('serves the models, and stops, with the defect %s', async (defect) => {
  const mock = await startMock({ defect });
  expect(mock.defect).toBe(defect);
  expect(await list(mock)).toBe(200);
  await mock.close();
});

test('has a breach for every defect, and none without a name', () => {
  expect(Object.keys(BREACHES).toSorted()).toEqual([...defectNames()].toSorted());
});

test('takes a wrong request for a right one with a defect, and refuses it without', async () => {
  const [faithful, broken] = [await start({}), await start({ defect: 'top-p-allowed' })];
  expect((await ask(faithful, { top_p: 1 })).status).toBe(400);
  expect((await ask(broken, { top_p: 1 })).status).toBe(200);
  expect((await ask(broken, { top_k: 1 })).status).toBe(400);
});

test('gives the same bytes as without a defect where the defect does not strike', async () => {
  const [faithful, broken] = [await start({ seed: 7 }), await start({ seed: 7, defect: 'stream-empty' })];
  expect(await (await ask(broken)).text()).toBe(await (await ask(faithful)).text());
});

test('says another answer with a defect', async () => {
  const mock = await start({ defect: 'usage-absent' });
  expect(await (await ask(mock)).json()).not.toHaveProperty('usage');
});

test('keeps other books with a defect', async () => {
  const mock = await start({ defect: 'success-not-debited' });
  await ask(mock);
  expect(mock.ledger.entries().map(({ state, debit }) => ({ state, debit }))).toEqual([
    { state: 'failed', debit: null },
  ]);
});

test('remembers nothing beyond a reset', async () => {
  const mock = await start({ defect: 'model-list-lost-on-refresh', control: true });
  expect([await list(mock), await list(mock)]).toEqual([200, 500]);
  await fetch(`${mock.control}/reset`, { method: 'POST' });
  expect([await list(mock), await list(mock)]).toEqual([200, 500]);
});

test('has the defect in every sandbox, each for itself', async () => {
  const mock = await start({ defect: 'equal-payload-is-a-repeat', control: true });
  expect([(await ask(mock)).status, (await ask(mock)).status]).toEqual([200, 409]);
  const { keys } = mock;
  const made = mock.sandboxes.create({ id: 'other', world: mock.world, hasOwnKeys: true });
  expect(made?.id).toBe('other');
  const url = `${mock.origin}/sandboxes/other/v1`;
  expect((await ask({ ...mock, keys }, {}, url)).status).toBe(200);
});

test('rejects given a defect that there is not', async () => {
  await expect(startMock({ defect: 'toString' as DefectName })).rejects.toThrow('no defect "toString"');
});
