import { expect, onTestFinished, test, vi } from 'vitest';
import { type Heard, type Shown, start, withEvents } from './store.ts';

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
  expect(ids(reset)).toEqual([4, 5]);
  expect(reset.worlds).toEqual([null, 's2']);
  expect(ids(withEvents(reset, [worlds('b', { own: 0 }), request(1)]))).toEqual([1]);
});

test('holds the latest 10,000 requests', () => {
  const came = Array.from({ length: 10_001 }, (_, index) => request(index + 1));
  const heard = withEvents(NOTHING, came);
  expect([heard.entries.length, heard.entries[0]?.id]).toEqual([10_000, 2]);
});

test('draws events together that come in pieces, and nothing for a heartbeat', async () => {
  const pieces = ['event: worlds\ndata: {"mock":"a","worlds":[]}\n\n'].concat(
    [1, 2, 3].flatMap((id) => [`id: a.${id}\nevent: request\n`, `data: {"id":${id}}\n\n`]),
    [':\n\n'],
  );
  const bytes = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      controller.close();
    },
  });
  const asked = vi.fn<typeof fetch>().mockResolvedValue(new Response(null, { status: 401 }));
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal('fetch', asked.mockResolvedValueOnce(new Response(bytes)));
  vi.stubGlobal('sessionStorage', { getItem: () => null });
  const drawn: Shown[] = [];
  start((shown) => drawn.push(shown));
  await vi.waitFor(() => expect(drawn.at(-1)?.connection).toBe('locked'), { timeout: 5000 });
  expect(drawn.at(-1)).toMatchObject({ version: 1, entries: [{ id: 1 }, { id: 2 }, { id: 3 }] });
  expect(asked.mock.lastCall?.[1]?.headers).toMatchObject({ 'last-event-id': 'a.3' });
});
