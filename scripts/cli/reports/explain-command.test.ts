import { expect, test } from 'vitest';
import { OPEN_POINTS } from '../../../fixtures/clauses/open-points.ts';
import { CHECKS, INVARIANTS } from '../../../suites/catalogue.ts';
import { WAVE } from '../../../suites/engine/inputs/provoking/rate-limit-burst.ts';
import { PLACES_READ } from '../../../suites/engine/summary/places-read.ts';
import { explain } from './explain-command.ts';

const ALL = { checks: CHECKS, invariants: INVARIANTS };

test('returns what is sent and the clause given a check', async () => {
  const text = await explain('unheard-of-field-refused', ALL);
  expect(text).toMatch(
    /sent +unheard-of-fields \(stage free\); inputs: --tier full \d+ of \d+, of which another/,
  );
  expect(text).toMatch(/REQ-6 \(stated\): .+/);
});

test('returns a request of its own and the place in which it is wrong given a check', async () => {
  const text = await explain('unheard-of-field-refused', ALL);
  expect(text).toMatch(
    /example +curl -sS -X POST 'https:.*"unheard_of":"x"\}'\n +differs only in \/unheard_of /,
  );
});

test('returns a stream given a check that reads the models first', async () => {
  expect(await explain('STR-2', ALL)).toMatch(/example +curl .*"stream":true/);
});

test('returns an example given every kind of requests', async () => {
  const kinds = [...new Set(CHECKS.map(({ given }) => given.name))];
  const texts = await Promise.all(kinds.map((kind) => explain(kind, ALL)));
  expect(kinds.filter((_, i) => texts[i]?.includes('\n  example ') !== true)).toEqual([]);
});

test('returns what it judges given an invariant', async () => {
  expect(await explain('error-object', ALL)).toContain('judges every exchange of a run');
});

test('returns what usually causes its failures, with the line that mends it', async () => {
  const names = ['unheard-of-field-refused', 'REQ-6', 'chat-request', 'unheard-of-fields'];
  for (const name of names)
    expect(await explain(name, ALL)).toContain(
      'usually  serde: unknown fields are ignored: #[serde(deny_unknown',
    );
  expect(await explain('CALL-6', ALL)).toMatch(/mend +maxRetries: 0 for the client /);
});

test('returns the constants that it goes by, and the names that it reads', async () => {
  expect(await explain('rate-limit-error', ALL)).toMatch(new RegExp(`limit +${WAVE}: simultaneous requests`));
  expect(await explain('error-object', ALL)).toMatch(/reads +error\.code: code errorcode .*in any case/);
});

test('knows the names of each open point that is a place', () => {
  const read = Object.values(PLACES_READ).flat();
  const pinned = new Set<string>(read.flatMap(({ pins = [] }) => pins));
  const places = Object.entries(OPEN_POINTS).flatMap(([name, { value }]) =>
    value === 'pointer' || value === 'member' ? name : [],
  );
  // In the events of a stream they have the names that they have in a response.
  const alike = ['vision.list', 'stream.finish_reason', 'stream.usage'];
  expect(places.filter((name) => !pinned.has(name))).toEqual(alike);
});

test('returns its checks and its open points given a clause or a section', async () => {
  expect(await explain('str-3', ALL)).toContain('stream-is-whole: ');
  expect(await explain('REQ-8', ALL)).toContain('bounds.max_tokens.0');
  expect(await explain('CALL-1', ALL)).toMatch(/bound +caller/);
  expect(await explain('streaming', ALL)).toMatch(
    /clause +STR-2 [^]*check +stream-is-buffered: [^]*sent +long-streams/,
  );
});

test('returns how to pin it given an open point', async () => {
  expect(await explain('error.code', ALL)).toContain('"pins":{"error.code":…}');
});

test('throws with the nearest names given an unknown name', async () => {
  await expect(explain('REQ-66', ALL)).rejects.toThrow('did you mean REQ-6');
  await expect(explain('unheard-of-field', ALL)).rejects.toThrow('did you mean unheard-of-fields');
});
