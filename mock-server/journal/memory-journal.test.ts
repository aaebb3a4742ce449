import { expect, test } from 'vitest';
import type { JournalEntry } from './journal.ts';
import { MemoryJournal, type JournalFilter, matchesFilter, RequestFeed } from './memory-journal.ts';

const arrival = (
  requestId: string,
  url = '/v1/models',
  body: string | null = null,
): Parameters<MemoryJournal['begin']>[0] => ({
  requestId,
  idempotencyKey: undefined,
  method: 'GET',
  url,
  body: body === null ? null : Buffer.from(body),
  rawHeaders: [],
});

const open = (feed = new RequestFeed(), sandbox: string | null = null): MemoryJournal =>
  new MemoryJournal({ clock: () => 5, keys: [{ name: 'primary', key: 'secret/key' }], feed, sandbox });

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
  [{ ended: 'answered' }, { ended: null }],
])('finds an entry by %j, and not by %j', (right, wrong) => {
  expect(matchesFilter(right, journalled())).toBe(true);
  expect(matchesFilter(wrong, journalled())).toBe(false);
  expect(matchesFilter({ ...right, ...wrong }, journalled())).toBe(false);
});

test('finds what is running, and everything without a filter', () => {
  expect(matchesFilter({ ended: null }, { ...journalled(), ended: null })).toBe(true);
  expect(matchesFilter({}, journalled())).toBe(true);
});

const kept = (journal: MemoryJournal): readonly boolean[] =>
  journal.records().map(({ arrival: came, answer }) => came !== null || answer !== null);

test('numbers the requests of all sandboxes in one order, and tells of every change', () => {
  const feed = new RequestFeed();
  const heard: [JournalEntry['sandbox'], number, number | null][] = [];
  feed.on('request', ({ entry: { sandbox, id, status } }) => heard.push([sandbox, id, status]));
  const record = open(feed).begin(arrival('r'));
  const later = open(feed, 's1');
  later.begin(arrival('r'));
  record.replied({ status: 200, headers: [], body: '' });
  feed.removeAllListeners();
  record.ended('answered', 1);
  expect(heard).toEqual([
    [null, 1, null],
    ['s1', 2, null],
    [null, 1, 200],
  ]);
  expect([later.since, feed.changes]).toEqual([1, 4]);
});

test('lets go of the oldest bodies, over all sandboxes, when all together are too large', () => {
  const feed = new RequestFeed(10_000);
  const [first, second] = [open(feed), open(feed, 's1')];
  const record = first.begin(arrival('r', '/v1/chat/completions', 'x'.repeat(3000)));
  second.begin(arrival('r', '/v1/chat/completions', 'x'.repeat(3000)));
  record.replied({ status: 200, headers: [], body: 'a'.repeat(2500) });
  expect([kept(first), kept(second)]).toEqual([[false], [true]]);
  second.begin(arrival('r', '/v1/chat/completions', 'x'.repeat(3000)));
  expect(kept(second)).toEqual([true, true]);
  second.begin(arrival('r', '/v1/chat/completions', 'x'.repeat(3000)));
  expect(kept(second)).toEqual([false, true, true]);
  expect(first.entries()).toMatchObject([{ status: 200 }]);
});

test('lets go of what a journal drops, and of all when it ends', () => {
  const feed = new RequestFeed();
  const journal = open(feed);
  const first = journal.begin(arrival('r', '/v1/chat/completions', 'x'));
  for (let sent = 0; sent < 10_000; sent += 1) journal.begin(arrival('r'));
  expect([first.arrival, kept(journal).every(Boolean)]).toEqual([null, true]);
  journal.end();
  expect(kept(journal).some(Boolean)).toBe(false);
  expect(kept(open(feed))).toEqual([]);
});
