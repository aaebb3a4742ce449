import { expect, test } from 'vitest';
import type { JournalEntry } from '../../../journal/journal.ts';
import { RequestList } from './request-list.ts';

// The list looks at nothing else.
const entry = (id: number, sandbox: string | null = null, status = 200): JournalEntry =>
  ({ id, sandbox, status }) as JournalEntry;

const ids = (list: RequestList): readonly number[] => list.all().map(({ id }) => id);

test('holds each request once, in its latest state and in the order of arrival', () => {
  const list = new RequestList();
  for (const each of [entry(2), entry(1), entry(3), entry(1, null, 502)]) list.put(each);
  expect(ids(list)).toEqual([1, 2, 3]);
  expect(list.get(1)?.status).toBe(502);
  expect(list.newest).toBe(3);
  expect(list.all()).toBe(list.all());
});

test('drops what was reset, what was deleted, and all of another mock', () => {
  const list = new RequestList();
  list.setWorlds({ mock: 'a', worlds: [{ sandbox: null, since: 0 }] });
  for (const each of [entry(1), entry(2, 's1'), entry(3, 's2'), entry(4), entry(5, 's2')]) list.put(each);
  list.setWorlds({
    mock: 'a',
    worlds: [
      { sandbox: null, since: 1 },
      { sandbox: 's2', since: 3 },
    ],
  });
  expect(ids(list)).toEqual([4, 5]);
  expect(list.worlds).toEqual([null, 's2']);
  list.setWorlds({ mock: 'b', worlds: [{ sandbox: null, since: 0 }] });
  expect(ids(list)).toEqual([]);
});

test('holds a bounded number of requests: the latest', () => {
  const list = new RequestList();
  for (let id = 1; id <= 50_001; id += 1) list.put(entry(id));
  expect([list.all().length, list.all()[0]?.id]).toEqual([45_001, 5001]);
});
