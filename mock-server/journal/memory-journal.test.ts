import { expect, test } from 'vitest';
import type { JournalEntry } from './journal.ts';
import { MemoryJournal, type JournalFilter, matchesFilter } from './memory-journal.ts';

const arrival = (requestId: string, url = '/v1/models'): Parameters<MemoryJournal['begin']>[0] => ({
  requestId,
  idempotencyKey: undefined,
  method: 'GET',
  url,
  body: null,
  rawHeaders: [],
});

const open = (): MemoryJournal =>
  new MemoryJournal({ clock: () => 5, keys: [{ name: 'primary', key: 'secret/key' }] });

test('remembers the latest, oldest first, and counts all', () => {
  const journal = open();
  for (let n = 1; n <= 10_002; n += 1) journal.begin(arrival(`r${n}`));
  const ids = journal.entries().map(({ n, requestId }) => `${n} ${requestId}`);
  expect([ids.length, ids[0], ids.at(-1)]).toEqual([10_000, '3 r3', '10002 r10002']);
  expect(journal.came).toBe(10_002);
});

test('shows no key, neither in a path nor in an Idempotency-Key', () => {
  const journal = open();
  journal.begin({ ...arrival('r', '/v1/secret/key/x'), idempotencyKey: 'my secret/key' });
  journal.begin(arrival('s', '/v1/secret%2Fke%79'));
  expect(journal.entries()).toMatchObject([
    { path: '/v1/(a key)/x', idempotencyKey: 'my (a key)' },
    { path: '/v1/(a key)' },
  ]);
  expect(JSON.stringify(journal.entries())).not.toMatch(/secret.{1,3}ke/);
});

test('cuts a path to 256 code units, and never in the middle of a character', () => {
  const journal = open();
  for (const path of ['😀'.repeat(200), `a${'😀'.repeat(200)}`]) journal.begin(arrival('r', path));
  const [whole, cut] = journal.entries().map(({ path }) => path);
  expect([whole, cut?.length, cut?.at(-1)]).toEqual(['😀'.repeat(128), 256, '\u{fffd}']);
});

test('waits until one has come that is like the filter, however late it becomes so', async () => {
  const journal = open();
  const record = journal.begin(arrival('a'));
  const met = journal.until(1, { ended: 'cut' }, { ms: 60_000 });
  record.ended('cut', 3);
  expect(await met).toBe(true);
});

test('stops waiting after its timeout, on abort, and when the journal is closed', async () => {
  const journal = open();
  expect(await journal.until(1, {}, { ms: 1 })).toBe(false);
  const gone = new AbortController();
  const aborted = journal.until(1, {}, { ms: 60_000, signal: gone.signal });
  gone.abort();
  expect(await aborted).toBe(false);
  expect(await journal.until(1, {}, { ms: 60_000, signal: gone.signal })).toBe(false);
  const closed = journal.until(1, {}, { ms: 60_000 });
  journal.close();
  expect(await closed).toBe(false);
  expect(await journal.until(1, {}, { ms: 60_000 })).toBe(false);
});

function journalled(): JournalEntry {
  const journal = open();
  for (let before = 0; before < 6; before += 1) journal.begin(arrival('earlier'));
  const record = journal.begin({ ...arrival('r'), idempotencyKey: 'i' });
  record.learnt({ endpoint: 'chat', key: 'primary' });
  record.triggered({ rule: 'rule_1', fault: 'timeout', phase: 'after-debit' });
  record.replied({ status: 200, headers: [], body: '' });
  record.ended('answered', 9);
  const last = journal.entries().at(-1);
  if (last === undefined) throw new Error('nothing is journalled');
  return last;
}

test.each<[JournalFilter, JournalFilter]>([
  [{ endpoint: 'chat' }, { endpoint: 'models' }],
  [{ key: 'primary' }, { key: 'second' }],
  [{ requestId: 'r' }, { requestId: 's' }],
  [{ idempotencyKey: 'i' }, { idempotencyKey: 'j' }],
  [{ status: 200 }, { status: 201 }],
  [{ fault: 'timeout' }, { fault: 'stall' }],
  [{ ended: 'answered' }, { ended: 'running' }],
  [{ after: 6 }, { after: 7 }],
])('finds an entry by %j, and not by %j', (right, wrong) => {
  expect(matchesFilter(right, journalled())).toBe(true);
  expect(matchesFilter(wrong, journalled())).toBe(false);
  expect(matchesFilter({ ...right, ...wrong }, journalled())).toBe(false);
});

test('finds what is running, and everything without a filter', () => {
  expect(matchesFilter({ ended: 'running' }, { ...journalled(), ended: null })).toBe(true);
  expect(matchesFilter({}, journalled())).toBe(true);
});
