import { expect, test } from 'vitest';
import { type Heard, withEvents } from './store.ts';

type Events = Parameters<typeof withEvents>[1];

const request = (id: number, sandbox: string | null = null, status = 200): Events[number] => ({
  event: 'request',
  data: JSON.stringify({ id, sandbox, status }),
});
const worlds = (mock: string, since: Readonly<Record<string, number>>): Events[number] => ({
  event: 'worlds',
  data: JSON.stringify({
    mock,
    worlds: Object.entries(since).map(([id, last]) => ({ sandbox: id === 'own' ? null : id, since: last })),
  }),
});

const NOTHING: Heard = { mock: '', entries: [], worlds: [null] };
const ids = ({ entries }: Heard): readonly number[] => entries.map(({ id }) => id);

test('holds each request once, in its latest state and in the order of arrival', () => {
  const heard = withEvents(NOTHING, [request(2), request(1), request(3), request(1, null, 502)]);
  expect(ids(heard)).toEqual([1, 2, 3]);
  expect(heard.entries[0]?.status).toBe(502);
});

test('drops what was reset, what was deleted, and all of another mock', () => {
  const came = [request(1), request(2, 's1'), request(3, 's2'), request(4), request(5, 's2')];
  const heard = withEvents(NOTHING, [worlds('a', { own: 0, s1: 0, s2: 0 }), ...came]);
  const reset = withEvents(heard, [worlds('a', { own: 1, s2: 3 })]);
  expect([ids(reset), reset.worlds]).toEqual([
    [4, 5],
    [null, 's2'],
  ]);
  expect(ids(withEvents(reset, [worlds('b', { own: 0 }), request(1)]))).toEqual([1]);
});

test('holds the latest 10,000 requests', () => {
  const heard = withEvents(
    NOTHING,
    Array.from({ length: 10_001 }, (_, index) => request(index + 1)),
  );
  expect([heard.entries.length, heard.entries[0]?.id]).toEqual([10_000, 2]);
});
