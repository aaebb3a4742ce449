import { expect, test } from 'vitest';
import { CLAUSES, type ClauseId, clauseIds } from '../../fixtures/clauses/clauses.ts';
import { startMock } from '../start-mock.ts';
import { complete, get, openMock } from '../test-support/open-mock.ts';
import { DEFECTS } from './defects.ts';

const ALL = Array.from(DEFECTS, ([name, defect]) => ({ name, ...defect }));

test('names every defect in words joined by hyphens', () => {
  expect(ALL.filter(({ name }) => !/^[a-z0-9]+(-[a-z0-9]+)+$/.test(name))).toEqual([]);
});

test('breaks every clause that binds a service', () => {
  const broken = new Set(ALL.flatMap(({ clauses: breaks }) => breaks));
  expect(clauseIds().filter((id) => CLAUSES[id].bound === 'service' && !broken.has(id))).toEqual([]);
});

test('breaks no clause that binds callers', () => {
  const broken = ALL.flatMap(({ clauses: breaks }) => breaks);
  expect(broken.filter((id) => CLAUSES[id].bound === 'caller')).toEqual([]);
});

test('gives a reason for each further clause that may be blamed, and names none twice', () => {
  for (const { name, clauses: breaks, alsoBlamed = {} } of ALL) {
    const twice = breaks.filter((clause) => Object.hasOwn(alsoBlamed, clause));
    expect([name, ...twice]).toEqual([name]);
    expect(Object.values(alsoBlamed).filter((reason) => reason.length < 20)).toEqual([]);
  }
});

test('pins a point in every defect of an open clause, and in no other', () => {
  const isOpen = (clause: ClauseId): boolean => CLAUSES[clause].level === 'open';
  const wrong = ALL.filter((each) => (each.pins !== undefined) !== each.clauses.some(isOpen));
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

test('gives the same bytes as without a defect where the defect does not apply', async () => {
  const mocks = [await openMock({ seed: 7 }), await openMock({ seed: 7, defect: 'stream-empty' })];
  const [faithful, broken] = await Promise.all(mocks.map(async (mock) => (await complete(mock)).text()));
  expect(broken).toBe(faithful);
});

test('remembers nothing beyond a reset', async () => {
  const mock = await openMock({ defect: 'answer-lost-on-refresh-for-the-list-of-models', control: true });
  const list = async () => (await get(mock, 'models')).status;
  expect([await list(), await list()]).toEqual([200, 500]);
  await fetch(`${mock.control}/reset`, { method: 'POST' });
  expect([await list(), await list()]).toEqual([200, 500]);
});

test('has the defect in every sandbox, each for itself', async () => {
  const mock = await openMock({ defect: 'equal-payload-is-a-repeat', control: true });
  expect([(await complete(mock)).status, (await complete(mock)).status]).toEqual([200, 409]);
  const made = mock.sandboxes.create({ id: 'other', world: mock.world, hasOwnKeys: true });
  expect(made?.id).toBe('other');
  const url = `${mock.origin}/sandboxes/other/v1`;
  expect((await complete({ url, keys: mock.keys })).status).toBe(200);
});

test('rejects given a defect that there is not', async () => {
  await expect(startMock({ defect: 'toString' })).rejects.toThrow('there is no "toString"');
});
