import { expect, test } from 'vitest';
import type { JournalEntry } from './journal.ts';
import { MemoryJournal } from './memory-journal.ts';
import { RequestFeed } from './request-feed.ts';

const arrival = (body = ''): Parameters<MemoryJournal['begin']>[0] => ({
  requestId: 'r',
  idempotencyKey: undefined,
  method: 'POST',
  url: '/v1/chat/completions',
  body: Buffer.from(body),
  rawHeaders: [],
});

const journalOf = (feed: RequestFeed, sandbox: string | null): MemoryJournal =>
  new MemoryJournal({ clock: () => 0, keys: [], sandbox, feed });

const kept = (journal: MemoryJournal): readonly boolean[] =>
  journal.records().map(({ arrival: came, answer }) => came !== null || answer !== null);

test('numbers the requests of all sandboxes in one order, and tells of every change', () => {
  const feed = new RequestFeed();
  const heard: [JournalEntry['sandbox'], number, number | null][] = [];
  feed.on('request', ({ entry: { sandbox, id, status } }) => heard.push([sandbox, id, status]));
  const record = journalOf(feed, null).begin(arrival());
  const later = journalOf(feed, 's1');
  later.begin(arrival());
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
  const [first, second] = [journalOf(feed, null), journalOf(feed, 's1')];
  const record = first.begin(arrival('x'.repeat(3000)));
  second.begin(arrival('x'.repeat(3000)));
  record.replied({ status: 200, headers: [], body: 'a'.repeat(2500) });
  expect([kept(first), kept(second)]).toEqual([[false], [true]]);
  second.begin(arrival('x'.repeat(3000)));
  expect(kept(second)).toEqual([true, true]);
  second.begin(arrival('x'.repeat(3000)));
  expect(kept(second)).toEqual([false, true, true]);
  expect(first.entries()).toMatchObject([{ status: 200 }]);
});

test('lets go of what a journal drops, and of all when it ends', () => {
  const feed = new RequestFeed();
  const journal = journalOf(feed, null);
  const first = journal.begin(arrival('x'));
  for (let sent = 0; sent < 10_000; sent += 1) journal.begin(arrival());
  expect([first.arrival, kept(journal).every(Boolean)]).toEqual([null, true]);
  journal.end();
  expect(kept(journal).some(Boolean)).toBe(false);
  expect(kept(journalOf(feed, null))).toEqual([]);
});
